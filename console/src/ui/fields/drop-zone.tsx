import { useEffect, useState } from 'preact/hooks';
import css from './field.module.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

type Props = { onFiles: ((files: readonly File[]) => void) | undefined; label: string };

/** Takes files dropped anywhere on the screen; without it the browser would open them. */
export const DropZone = ({ onFiles, label }: Props) => {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (onFiles === undefined) return;
    const move = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    const ended = new AbortController();
    document.addEventListener('dragover', move, ended);
    document.addEventListener('dragleave', leave, ended);
    document.addEventListener('drop', drop, ended);
    return () => ended.abort();
  }, [onFiles]);
  return over ? <div class={css.dropOver}>{label}</div> : null;
};
