/** Text of any length on one line of a table; the whole of it on a closer look. */
export const TextCell = ({ text, wide = false }: { text: unknown; wide?: boolean }) => {
  const words = text === undefined || text === null ? '' : String(text);
  return (
    <td class={wide ? 'clip wide' : 'clip'} title={words}>
      <bdi>{words}</bdi>
    </td>
  );
};
