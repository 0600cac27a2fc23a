// SPDX-License-Identifier: BSD-3-Clause
// parameter_values NAME...: what these parameters of Open MPI are in this job, by MPI_T: a line "NAME=VALUE"
// each, or nothing for one that Open MPI does not have. Then, if a sum over all ranks is right, "right on N
// ranks". Truth values are 0 and 1.
#include <mpi.h>
#include <stdio.h>

enum { kLongest = 65536 };

static void print_value(const char* name, MPI_Datatype type, const void* value) {
  if (type == MPI_CHAR)
    printf("%s=%s\n", name, (const char*)value);
  else if (type == MPI_INT)
    printf("%s=%d\n", name, *(const int*)value);
  else if (type == MPI_UNSIGNED)
    printf("%s=%u\n", name, *(const unsigned*)value);
  else if (type == MPI_C_BOOL)
    printf("%s=%d\n", name, *(const _Bool*)value);
  else if (type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG)
    printf("%s=%llu\n", name, *(const unsigned long long*)value);
  else
    printf("%s has a type that this program does not know\n", name);
}

static void print_parameter(const char* name) {
  int index, verbosity, bind, scope, count, length = 0, text_length = 0;
  MPI_Datatype type;
  MPI_T_cvar_handle handle;
  static char value[kLongest];
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return;
  MPI_T_cvar_get_info(index, NULL, &length, &verbosity, &type, NULL, NULL, &text_length, &bind, &scope);
  MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
  if (count < kLongest && MPI_T_cvar_read(handle, value) == MPI_SUCCESS) print_value(name, type, value);
  MPI_T_cvar_handle_free(&handle);
}

int main(int argc, char** argv) {
  int rank, ranks, provided, one = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < argc; ++i) print_parameter(argv[i]);
  if (rank == 0 && sum == ranks) printf("right on %d ranks\n", ranks);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
