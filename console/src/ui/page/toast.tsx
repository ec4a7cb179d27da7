import { createStore, useStore } from '../../base/store.ts';
import css from './page.module.css';

type Toast = { id: number; text: string };

const shownMs = 5000;
const toasts = createStore<readonly Toast[]>([]);
let count = 0;

export const say = (text: string): void => {
  const toast = { id: ++count, text };
  toasts.set([...toasts.get().slice(-2), toast]);
  setTimeout(() => toasts.set(toasts.get().filter(({ id }) => id !== toast.id)), shownMs);
};

export const Toasts = () => (
  <div class={`${css.toasts} stack no-print`} role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text }) => (
      <div key={id} class={css.toast}>
        <bdi>{text}</bdi>
      </div>
    ))}
  </div>
);
