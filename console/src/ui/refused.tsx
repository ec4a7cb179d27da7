/** Why something was refused, beside the button that asked for it. */
export const Refused = ({ words, id }: { words: string | undefined; id?: string }) =>
  words === undefined ? null : (
    <p class="refused" id={id} role="alert">
      {words}
    </p>
  );
