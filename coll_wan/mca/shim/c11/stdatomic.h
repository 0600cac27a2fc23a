// SPDX-License-Identifier: BSD-3-Clause
// Stand-in for C's header of atomics, which C++20 does not have, for an Open MPI that was configured to use
// it. Each atomic of C is a volatile object here, which has the same size and alignment (checked by
// tests/unit/mca_layout.cc), and which only the functions below change, atomically. It has what Open MPI's
// headers use.
#ifndef WAN_SHIM_STDATOMIC_H
#define WAN_SHIM_STDATOMIC_H
extern "C++" {

#define _Atomic volatile
typedef _Atomic int atomic_int;
typedef _Atomic long atomic_long;

enum memory_order : int {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

inline void atomic_thread_fence(memory_order order) {
  __atomic_thread_fence(order);
}

// Open MPI passes a pointer where the object is an integer of that size, and the other way round.
template <class Object, class Value>
bool atomic_compare_exchange_strong_explicit(volatile Object* object, void* expected, Value desired,
                                             memory_order success, memory_order failure) {
  return __atomic_compare_exchange_n(object, (Object*)expected, (Object)desired, false, success, failure);
}

template <class Object, class Value>
Object atomic_exchange_explicit(volatile Object* object, Value desired, memory_order order) {
  return __atomic_exchange_n(object, (Object)desired, order);
}

template <class Object>
Object atomic_fetch_add_explicit(volatile Object* object, Object operand, memory_order order) {
  return __atomic_fetch_add(object, operand, order);
}

template <class Object>
Object atomic_fetch_sub_explicit(volatile Object* object, Object operand, memory_order order) {
  return __atomic_fetch_sub(object, operand, order);
}

template <class Object>
Object atomic_fetch_and_explicit(volatile Object* object, Object operand, memory_order order) {
  return __atomic_fetch_and(object, operand, order);
}

template <class Object>
Object atomic_fetch_or_explicit(volatile Object* object, Object operand, memory_order order) {
  return __atomic_fetch_or(object, operand, order);
}

template <class Object>
Object atomic_fetch_xor_explicit(volatile Object* object, Object operand, memory_order order) {
  return __atomic_fetch_xor(object, operand, order);
}

typedef struct {
  bool is_set;
} atomic_flag;
#define ATOMIC_FLAG_INIT \
  { false }

inline bool atomic_flag_test_and_set(volatile atomic_flag* flag) {
  return __atomic_test_and_set(&flag->is_set, __ATOMIC_SEQ_CST);
}

inline void atomic_flag_clear_explicit(volatile atomic_flag* flag, memory_order order) {
  __atomic_clear(&flag->is_set, order);
}

inline void atomic_flag_clear(volatile atomic_flag* flag) {
  atomic_flag_clear_explicit(flag, memory_order_seq_cst);
}
}
#endif
