// SPDX-License-Identifier: BSD-3-Clause
// What of ScaLAPACK and its BLACS is called here; they come without a header. Fortran's arguments are
// pointers.
#pragma once

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
int numroc_(const int* elements, const int* block, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* rows, const int* columns, const int* row_block,
               const int* column_block, const int* first_row, const int* first_column, const int* context,
               const int* leading, int* info);
void pdgeqrf_(const int* rows, const int* columns, double* a, const int* first_row, const int* first_column,
              const int* descriptor, double* tau, double* work, const int* work_size, int* info);
}
