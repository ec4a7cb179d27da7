/** Why something was refused, beside the button that asked for it. */
export const Refused = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : (
    <p class="refused" role="alert">
      {words}
    </p>
  );
