export { CallingRules, type TaskRules } from './calling-rules.ts';
