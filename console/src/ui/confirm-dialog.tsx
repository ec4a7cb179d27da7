import type { ComponentChildren } from 'preact';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { type DialogOptions, useDialog } from './use-dialog.ts';

type Look = Omit<FormDialogProps, 'busy' | 'refused' | 'onClose' | 'onSubmit' | 'children'>;
type Props<A> = DialogOptions<A> & Look & { words: string; children?: ComponentChildren };

/** A dialog that sends one change, with nothing in it that the change could be refused for. */
export const ConfirmDialog = <A,>({ title, action, icon, kind, words, children, ...options }: Props<A>) => (
  <FormDialog {...{ title, action, icon, kind }} {...useDialog(options).form}>
    <p>{words}</p>
    {children}
  </FormDialog>
);
