const firstNames = ['Ada', 'Ben', 'Chen', 'Dilara', 'Emil', 'Fatima', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const lastNames = ['Abe', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Gupta', 'Haas', 'Ivanova', 'Jung'];
const cities = ['Aachen', 'Bergen', 'Cork', 'Delft', 'Evora', 'Faro', 'Ghent'];

/** Numbers reserved for fiction in North America: 555-0100 to 555-0199 in each area. */
const phoneOf = (index: number) =>
  `+1${201 + Math.floor(index / 100)}5550${String(100 + (index % 100)).padStart(3, '0')}`;

const pick = (words: readonly string[], index: number) => words[index % words.length] as string;

/** A contact file of at most 10,000 rows. */
export const madeUpContacts = (count: number): string => {
  const rows = Array.from({ length: count }, (_, i) =>
    [
      phoneOf(i),
      `${pick(firstNames, i)} ${pick(lastNames, Math.floor(i / firstNames.length))}`,
      pick(cities, i),
      (10 + ((i * 37) % 990)).toFixed(2),
    ].join(','),
  );
  return ['phoneNumber,customerName,address,orderAmount', ...rows, ''].join('\r\n');
};

/** The form of an import request. */
export const fileForm = (content: string, name: string): FormData => {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  return form;
};
