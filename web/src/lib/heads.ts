// The titles of table columns on the screen.
import type { Unit } from './table';

/** Titles of columns whose name is too short or too long. */
const HEADS: Record<string, string> = {
  mfa: 'function',
  ns: 'time',
  inside_ns: 'in the range',
  inside_low_ns: 'at least',
  inside_high_ns: 'at most',
  active_ns: 'whole length',
  mean_latency_ns: 'latency',
  max_latency_ns: 'longest latency',
  asks_most: 'busiest client',
  slice_ns: 'ran',
  on_cpu_ns: 'on CPU',
  no_core_ns: 'without a core',
  involuntary: 'preempted',
  own_ns: 'self',
  own: 'self',
  acc_ns: 'total',
  acc: 'total',
  max_ns: 'longest',
  stddev_ns: 'std dev',
  run_ns: 'run',
  runnable_ns: 'runnable',
  wait_ns: 'waiting',
  gc_ns: 'gc',
  gc_count: 'collections',
  sends: 'sent',
  send_words: 'sent words',
  receives: 'received',
  receive_words: 'received words',
  max_queue: 'most not fetched',
  peak_mailbox: 'longest mailbox',
  mean_send_words: 'mean sent words',
  mean_receive_words: 'mean received words',
  spawned: 'children',
  exit_reason: 'exit',
  error_ppm: '±, 95 %',
  total_ppm: 'total share',
  peak_heap_words: 'peak heap words',
  dirty_ns: 'dirty',
  handover_ns: 'dirty hand-over',
  dirty_gc_ns: 'dirty gc',
  unknown_ns: 'unknown',
  group_id: 'group',
  runnable_low_ns: 'runnable (at least)',
  runnable_high_ns: 'runnable (at most)',
  send_ext_bytes: 'sent bytes (external format)',
  receive_ext_bytes: 'received bytes (external format)',
  timeout_ext_bytes: 'timeout bytes (external format)',
  total_ext_bytes: 'bytes (external format)',
};

export function headOf(name: string, unit: Unit): string {
  const head = HEADS[name] ?? name.replace(/_(ns|ppm)$/, '').replace(/_/g, ' ');
  return unit === 'words' && !/words/.test(head) ? `${head}, words` : head;
}
