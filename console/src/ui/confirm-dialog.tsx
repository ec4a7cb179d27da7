import type { ComponentChildren } from 'preact';
import { FormDialog, type Look } from './form-dialog.tsx';
import { type DialogOptions, useDialog } from './use-dialog.ts';

type Props<A> = DialogOptions<A> & Look & { words: string; children?: ComponentChildren };

/** A dialog that sends one change, with nothing in it that the change could be refused for. */
export const ConfirmDialog = <A,>({ title, action, icon, kind, words, children, ...options }: Props<A>) => (
  <FormDialog {...{ title, action, icon, kind }} {...useDialog(options).form}>
    <p>{words}</p>
    {children}
  </FormDialog>
);
