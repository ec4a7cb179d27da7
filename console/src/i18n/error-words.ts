import { fieldNameAtMost } from '../../../shared/contacts/rules/contact.ts';
import type { ErrorWord, FieldCode } from '../../../shared/platform/rules/errors.ts';
import { maxRows } from '../../../shared/platform/rules/files.ts';
import { importLimit } from '../base/page-settings.ts';
import { type Phrase, type Phrases, whole } from './phrases.ts';

const { rows, megabytes } = importLimit;

const outdated: Phrase = ['This page is out of date. Reload it.', '页面版本过旧，请刷新页面。'];

/** `INVALID` has words by field. The others are met by dialers. */
type ProgramWord =
  | 'INVALID'
  | 'CURSOR_EXPIRED'
  | 'ALREADY_REPORTED'
  | 'LEASE_LOST'
  | 'TOO_MANY_CALLBACKS'
  | 'CALLBACK_TOO_LATE'
  | 'TASK_CLOSED'
  | 'CALL_NOT_REPORTED'
  | 'CALL_TOO_OLD'
  | 'CALL_ERASED';

export const errorWords = {
  fileChanged: [
    'The file was changed or moved after it was chosen. Choose it again.',
    '文件在选择之后被修改或移动，请重新选择。',
  ],
  network: [
    'The service cannot be reached. Nothing was lost. Try again.',
    '无法连接服务，内容没有丢失，请重试。',
  ],
  codes: {
    UNAUTHENTICATED: ['Your session has ended. Sign in again.', '登录已过期，请重新登录。'],
    FORBIDDEN: ['Your account is not allowed to do this.', '您的账号无权执行此操作。'],
    ORIGIN_REFUSED: ['Open the console at its own address.', '请从控制台自身的地址打开。'],
    FIREWALL_REFUSED: [
      'The firewall of the service refused this. Wait a few minutes, or ask your administrator.',
      '服务的防火墙拒绝了此请求，请几分钟后重试或联系管理员。',
    ],
    PATH_NOT_FOUND: outdated,
    METHOD_NOT_ALLOWED: outdated,
    TASK_NOT_FOUND: ['This task does not exist.', '此任务不存在。'],
    DATA_SOURCE_NOT_FOUND: ['This contact list does not exist.', '此客户名单不存在。'],
    CONTACT_NOT_FOUND: ['This contact no longer exists.', '此联系人已不存在。'],
    IMPORT_NOT_FOUND: ['This import does not exist.', '此次导入不存在。'],
    CALL_NOT_FOUND: ['There is no record of this call.', '没有此次呼叫的记录。'],
    WEBHOOK_NOT_FOUND: ['This webhook does not exist.', '此事件推送不存在。'],
    TOO_MANY_WEBHOOKS: [
      'There are 20 webhooks already. Delete one first.',
      '已有 20 个事件推送，请先删除一个。',
    ],
    WEBHOOK_DISABLED: ['This webhook is switched off. Switch it on first.', '此事件推送已停用，请先启用。'],
    FILE_NOT_FOUND: ['The rejected rows are no longer stored.', '未导入的行已不再保存。'],
    TASK_STATE: [
      'This is not possible in the current state of the task. The page now shows it.',
      '任务当前的状态不允许此操作，页面已更新。',
    ],
    CALLS_IN_PROGRESS: ['Calls are still in progress. Try again later.', '仍有通话在进行，请稍后再试。'],
    DATA_SOURCE_FIXED: ['The do-not-call list cannot be changed in this way.', '免打扰名单不能这样修改。'],
    DATA_SOURCE_IN_USE: ['Tasks that are not closed use this list.', '有未归档的任务正在使用此名单。'],
    IMPORT_STATE: ['The rows are imported already.', '各行已导入，无法再取消。'],
    NAME_TAKEN: ['Name already in use.', '名称已被使用。'],
    PHONE_NUMBER_TAKEN: ['This number is already in the list.', '名单中已有此号码。'],
    CHANGED_SINCE: ['Changed by another person. The page now shows it.', '已被其他人修改，页面已更新。'],
    IMPORT_RUNNING: ['An import is running. Try again in a moment.', '导入正在进行，请稍后再试。'],
    IMPORT_FAILED: ['The import failed, so it has no rejected rows.', '导入失败，没有未导入的行可下载。'],
    STILL_RUNNING: ['This is still being done. Try again in a moment.', '仍在处理，请稍后再试。'],
    TOO_LARGE: ['Too much at once. Send less.', '内容过多，请减少后重试。'],
    FILE_TOO_LARGE: [
      `Too large: at most ${whole(rows)} rows and ${megabytes} MB${rows > maxRows ? `, and ${whole(maxRows)} rows in XLS, XLSB and ODS` : ''}. Split the file and import the parts.`,
      `文件过大：最多 ${whole(rows)} 行、${megabytes} MB${rows > maxRows ? `，XLS、XLSB、ODS 最多 ${whole(maxRows)} 行` : ''}。请拆分后分别导入。`,
    ],
    HOST_UNKNOWN: ['The service does not answer at this address.', '服务不接受来自此地址的请求。'],
    KEY_REUSED: ['Sent before with other content. Try again.', '相同请求已用其他内容发送过，请重试。'],
    TOO_MANY_REQUESTS: ['Too many requests. Try again in a moment.', '请求过多，请稍后再试。'],
    TOO_MANY_CHANGES: ['Others are changing this too. Try again.', '其他人也在修改，请稍后再试。'],
    TOO_MANY_CONTACTS: [
      'There are too many contacts for this. Split the list.',
      '联系人数量过多，请拆分名单。',
    ],
    HEADERS_TOO_LARGE: ['The address is too long. Use a shorter filter.', '地址过长，请缩短筛选条件。'],
    INTERNAL: ['The service failed.', '服务内部出错。'],
    STORAGE_FULL: [
      'The disk of the service is full. Nothing was saved. Make room and try again.',
      '服务所在的磁盘已满，内容未保存。请清理磁盘后重试。',
    ],
    TIMEOUT: [
      'The service took too long. Check whether it was done before you try again.',
      '服务响应超时，请先确认是否已完成，再重试。',
    ],
  } satisfies Record<Exclude<ErrorWord, ProgramWord>, Phrase>,
  requestId: (id: string) => [`Request ${id}`, `请求编号 ${id}`],
  fields: {
    dataSourceId: ['This contact list does not exist.', '此客户名单不存在。'],
    phoneNumber: [
      'Not a valid phone number: 3 to 15 digits, with + in front if it is international.',
      '号码格式不正确：3 到 15 位数字，国际号码以 + 开头。',
    ],
    fields: [`Use at most ${fieldNameAtMost} characters.`, `字段名最多 ${fieldNameAtMost} 个字符。`],
    sheet: ['The file has no such sheet.', '文件中没有此工作表。'],
    headerRow: ['This row has no titles.', '此行没有标题。'],
    mapping: ['The columns do not match the file.', '列与文件不符。'],
  },
  files: {
    BAD_FORM: ['The file did not arrive whole. Try again.', '文件未完整送达，请重试。'],
    /** The service's message follows: what is damaged, and where. */
    BAD_FILE: ['The file cannot be read:', '无法读取文件：'],
    FILE_EMPTY: ['The file is empty.', '文件为空。'],
    FILE_PROTECTED: ['The file has a password. Save it without one.', '文件有密码，请取消密码后保存。'],
    NOT_A_TABLE: [
      'This is neither CSV nor a workbook. Open it in a spreadsheet program and save it as XLSX or CSV.',
      '文件不是 CSV 或表格，请用表格软件打开并另存为 XLSX 或 CSV。',
    ],
    NO_PHONE_COLUMN: ['No column holds phone numbers.', '没有找到电话号码所在的列。'],
    REPEATED_TITLE: ['Two columns have the same title. Rename one.', '有两列标题相同，请修改其中一列。'],
  } satisfies { [C in FieldCode]?: Phrase },
} satisfies Phrases;
