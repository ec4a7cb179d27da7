import { knownFields } from '../domain/contacts/contact.ts';

const contactFields = ['phoneNumber', ...knownFields] as const;

/** What people write above the columns of the fields that the contract names. */
const SYNONYMS: Record<(typeof contactFields)[number], string[]> = {
  phoneNumber: [
    ...['phone', 'mobile', 'cell', 'tel', 'telephone'].flatMap((word) => [
      word,
      `${word}number`,
      `${word}no`,
    ]),
    ...['手机', '手机号', '手机号码', '电话', '电话号码', '联系电话', '联系方式'],
  ],
  customerName: ['name', 'customer', 'fullname', '姓名', '客户', '客户姓名', '客户名称', '联系人'],
  address: ['地址', '联系地址', '住址'],
  orderAmount: ['amount', '金额', '订单金额'],
};

const BRACKETS = /[([{<【〔《「][^)\]}>】〕》」]*[)\]}>】〕》」]/g;

/** How titles are compared: without case, width, spaces, signs such as `_`, `-`, `*` and what stands in brackets. */
const keyOf = (title: string) =>
  title
    .normalize('NFKC')
    .replace(BRACKETS, '')
    .replace(/[\s_.:*#-]/g, '')
    .toLowerCase();

const OWN_NAMES = new Map(contactFields.map((field) => [field.toLowerCase(), field]));
const BY_SYNONYM = new Map(
  contactFields.flatMap((field) =>
    [field.toLowerCase(), ...SYNONYMS[field]].map((key) => [key, field] as const),
  ),
);

/** The known field that a title names in its own word, in any case. */
export const fieldNamed = (title: string): string | undefined => OWN_NAMES.get(title.toLowerCase());

/** The known field that a title stands for in people's words. */
export const fieldMeant = (title: string): string | undefined => BY_SYNONYM.get(keyOf(title));
