import { minuteMs } from '../../../../shared/platform/time/time.ts';
import { isTimeZone, steadyTimeAt } from '../../../../shared/platform/time/zones.ts';

/** Names that browsers still list under their old spelling. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
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

const withoutCountry = /^America\/(Buenos_Aires|Catamarca|Cordoba|Jujuy|Mendoza)$/;

/** A zone in its present spelling. */
export const presentName = (zone: string): string =>
  renamed[zone] ?? zone.replace(withoutCountry, 'America/Argentina/$1');

export const allZones = (): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(presentName).filter(isTimeZone)]),
];

type NameStyle = 'longGeneric' | 'shortGeneric';
const known = new Map<string, string>();

/** What the platform calls a zone. Asking takes long enough for 400 zones that each answer is kept. */
const nameOf = (zone: string, language: string, timeZoneName: NameStyle): string => {
  const key = `${zone} ${language} ${timeZoneName}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  known.set(key, name);
  return name;
};

const labelOf = (zone: string) => zone.replaceAll('_', ' ');

/** As UTC+05:30, or UTC alone. */
const offsetOf = (zone: string): string => {
  const minutes = steadyTimeAt(Date.now(), zone).offset / minuteMs;
  const clock = new Date(Math.abs(minutes) * minuteMs).toISOString().slice(11, 16);
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${clock}`;
};

/** By city, by offset, and by Chinese name; what cannot match is not asked for. */
const isLike = (zone: string, word: string): boolean =>
  labelOf(zone).toLowerCase().includes(word) ||
  (/[\d+-]/.test(word) && offsetOf(zone).toLowerCase().includes(word)) ||
  (/\p{Script=Han}/u.test(word) &&
    (['shortGeneric', 'longGeneric'] as const).some((style) => nameOf(zone, 'zh-CN', style).includes(word)));

const shownAtMost = 40;

/** The zones that match every word of the text, each with its offset of today and its name. */
export const zonesLike = (
  text: string,
  language: 'en' | 'zh',
): { id: string; label: string; note: string }[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return allZones()
    .filter((zone) => words.every((word) => isLike(zone, word)))
    .slice(0, shownAtMost)
    .map((zone) => ({
      id: zone,
      label: labelOf(zone),
      note: `${offsetOf(zone)} · ${nameOf(zone, language === 'zh' ? 'zh-CN' : 'en', 'longGeneric')}`,
    }));
};
