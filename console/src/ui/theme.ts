import { remember, remembered } from './preferences.ts';
import { createStore } from './store.ts';

export type Theme = 'light' | 'dark';

const key = 'console.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const chosen = (): Theme | undefined => {
  const theme = remembered(key);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
};

export const theme = createStore<Theme>(chosen() ?? (dark.matches ? 'dark' : 'light'));

const apply = () => {
  document.documentElement.dataset.theme = theme.get();
};

export const chooseTheme = (next: Theme): void => {
  remember(key, next);
  theme.set(next);
};

theme.subscribe(apply);
dark.addEventListener('change', () => {
  if (chosen() === undefined) theme.set(dark.matches ? 'dark' : 'light');
});
apply();
