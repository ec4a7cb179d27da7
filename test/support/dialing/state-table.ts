/**
 * The state table of the decisions, written out once more so that the code's own table is not its
 * judge.
 */
export const stateNames = ['DRAFT', 'RUNNING', 'PAUSED', 'STOPPED', 'COMPLETED', 'FAILED', 'CLOSED'];

type Move = { operation: string; from: readonly number[]; to: (before: number) => number };

export const moves: readonly Move[] = [
  { operation: 'update', from: [0], to: () => 0 },
  { operation: 'adjust', from: [0, 1, 2], to: (before) => before },
  { operation: 'publish', from: [0], to: () => 1 },
  { operation: 'pause', from: [1], to: () => 2 },
  { operation: 'resume', from: [2], to: () => 1 },
  { operation: 'stop', from: [1, 2], to: () => 3 },
  { operation: 'close', from: [3, 4, 5], to: () => 6 },
];

/**
 * What a refusal must say: the state the task is in and every state the operation is allowed in.
 */
export const refusalOf = ({ operation, from }: Move, state: number): RegExp => {
  const named = from.map((allowed) => `(?=.*allowed in .*${stateNames[allowed]})`).join('');
  return new RegExp(`^(?=${operation} )(?=.* is ${stateNames[state]} )${named}`);
};
