import { createStore } from '../ui/store.ts';

/** When the service last answered; `lost` once a request got no answer. */
export type Connection = { lost: boolean; lastHeard: number };

export const connection = createStore<Connection>({ lost: false, lastHeard: Date.now() });

export const heard = (): void => connection.set({ lost: false, lastHeard: Date.now() });

export const unheard = (): void => {
  const { lost, lastHeard } = connection.get();
  if (!lost) connection.set({ lost: true, lastHeard });
};
