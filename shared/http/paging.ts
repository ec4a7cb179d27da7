/** The number of rows before a page. */
export const offsetOf = ({ pageNum, pageSize }: { pageNum: number; pageSize: number }): number =>
  (pageNum - 1) * pageSize;
