// SPDX-License-Identifier: BSD-3-Clause
// What of OpenBLAS is called here: BLAS and LAPACK through Fortran's interface, whose arguments are pointers
// and whose matrices are column-major, and how many threads each call may use.
#pragma once

extern "C" {
void openblas_set_num_threads(int threads);

void dgemm_(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* work_size, int* info);
void dgeqrt_(const int* m, const int* n, const int* block, double* a, const int* lda, double* t,
             const int* ldt, double* work, int* info);
void dgemqrt_(const char* side, const char* trans, const int* m, const int* n, const int* k, const int* block,
              const double* v, const int* ldv, const double* t, const int* ldt, double* c, const int* ldc,
              double* work, int* info);
void dtpqrt_(const int* m, const int* n, const int* trapezoid, const int* block, double* a, const int* lda,
             double* b, const int* ldb, double* t, const int* ldt, double* work, int* info);
void dtpmqrt_(const char* side, const char* trans, const int* m, const int* n, const int* k,
              const int* trapezoid, const int* block, const double* v, const int* ldv, const double* t,
              const int* ldt, double* a, const int* lda, double* b, const int* ldb, double* work, int* info);
/// Upper or lower triangles: from a matrix to column after column without gaps, and back.
void dtrttp_(const char* uplo, const int* n, const double* a, const int* lda, double* packed, int* info);
void dtpttr_(const char* uplo, const int* n, const double* packed, double* a, const int* lda, int* info);
}
