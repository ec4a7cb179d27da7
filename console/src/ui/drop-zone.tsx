import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './drop-zone.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files dropped anywhere on the screen; without it the browser would open them. */
export const DropZone = ({
  onFiles,
  label,
  children,
}: {
  onFiles: ((files: readonly File[]) => void) | undefined;
  label: string;
  children: ComponentChildren;
}) => {
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
    document.addEventListener('dragover', move);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', move);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [onFiles]);
  return (
    <>
      {children}
      {over && <div class="drop-over">{label}</div>}
    </>
  );
};
