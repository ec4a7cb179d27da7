import { fullText, instantOf, momentText } from '../i18n/format.ts';

/** A timestamp of the service as the reader writes it; the whole of it on a closer look. */
export const Moment = ({ time }: { time: string | null | undefined }) => {
  if (!time) return <span class="faint">–</span>;
  const instant = instantOf(time);
  return (
    <time dateTime={new Date(instant).toISOString()} title={fullText(instant)}>
      {momentText(instant)}
    </time>
  );
};
