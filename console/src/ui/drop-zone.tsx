import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './drop-zone.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes a file dropped anywhere on the screen; without it the browser would open the file. */
export const DropZone = ({
  onFile,
  label,
  children,
}: {
  onFile: ((file: File) => void) | undefined;
  label: string;
  children: ComponentChildren;
}) => {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (onFile === undefined) return;
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
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) onFile(file);
    };
    document.addEventListener('dragover', move);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', move);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [onFile]);
  return (
    <>
      {children}
      {over && <div class="drop-over">{label}</div>}
    </>
  );
};
