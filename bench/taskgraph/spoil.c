/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to be loaded before OpenBLAS: on rank 1 the kernel that SPOIL names leaves one number wrong,
   once. taskgraph_test.sh shows with it that wan-taskgraph notices. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void spoil(const char *name, double *data) {
  static int calls = 0;
  const char *wanted = getenv("SPOIL"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (wanted != NULL && strcmp(wanted, name) == 0 && rank != NULL && strcmp(rank, "1") == 0 && ++calls == 2)
    data[0] += 1e-6;
}

typedef void Trsm(const char *, const char *, const char *, const char *, const int *, const int *,
                  const double *, const double *, const int *, double *, const int *);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b, const int *ldb) {
  ((Trsm *)dlsym(RTLD_NEXT, "dtrsm_"))(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
  spoil("dtrsm", b);
}

typedef void Tpmqrt(const char *, const char *, const int *, const int *, const int *, const int *,
                    const int *, const double *, const int *, const double *, const int *, double *,
                    const int *, double *, const int *, double *, int *);
void dtpmqrt_(const char *side, const char *trans, const int *m, const int *n, const int *k, const int *l,
              const int *block, const double *v, const int *ldv, const double *t, const int *ldt, double *a,
              const int *lda, double *b, const int *ldb, double *work, int *info) {
  ((Tpmqrt *)dlsym(RTLD_NEXT, "dtpmqrt_"))(side, trans, m, n, k, l, block, v, ldv, t, ldt, a, lda, b, ldb,
                                           work, info);
  spoil("dtpmqrt", a);
}
