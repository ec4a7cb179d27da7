import type { Language } from '../i18n/i18n.ts';
import type { Choice } from '../ui/combobox.tsx';

/** Names that browsers still list under their old spelling. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** A zone in its present spelling. */
export const presentName = (zone: string): string => renamed[zone] ?? zone;

export const allZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(presentName)]),
];

const nameOf = (
  zone: string,
  language: string,
  timeZoneName: 'longOffset' | 'longGeneric' | 'shortGeneric',
) =>
  new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

type Entry = Choice & { searched: string };
const known = new Map<Language, Entry[]>();

/** Every zone with its offset of today; found by its city, its offset, its English and its Chinese name. */
const entriesIn = (language: Language): Entry[] => {
  const before = known.get(language);
  if (before !== undefined) return before;
  const entries = allZones().map((zone): Entry => {
    const offset = nameOf(zone, 'en', 'longOffset').replace('GMT', 'UTC');
    const names = [
      nameOf(zone, language === 'zh' ? 'zh-CN' : 'en', 'longGeneric'),
      nameOf(zone, 'zh-CN', 'shortGeneric'),
      nameOf(zone, 'zh-CN', 'longGeneric'),
    ];
    const label = zone.replaceAll('_', ' ');
    const note = [offset, names[0]].filter((part) => part !== '').join(' · ');
    return { id: zone, label, note, searched: [label, offset, ...names].join(' ').toLowerCase() };
  });
  known.set(language, entries);
  return entries;
};

const shownAtMost = 40;

/** The zones that hold every word of the text. */
export const zonesLike = (text: string, language: Language): Choice[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entriesIn(language)
    .filter(({ searched }) => words.every((word) => searched.includes(word)))
    .slice(0, shownAtMost);
};
