import { remember, remembered } from '../../base/preferences.ts';
import { createStore } from '../../base/store.ts';

type Theme = 'light' | 'dark';

const key = 'console.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const known = (): Theme => {
  const chosen = remembered(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return dark.matches ? 'dark' : 'light';
};

export const theme = createStore(known());

export const chooseTheme = (next: Theme): void => {
  remember(key, next);
  theme.set(next);
};

const apply = () => {
  document.documentElement.dataset.theme = theme.get();
};

theme.subscribe(apply);
dark.addEventListener('change', () => theme.set(known()));
apply();
