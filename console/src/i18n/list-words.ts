import type { PhoneProblem } from '../../../shared/contacts/rules/phone-number.ts';
import { counted, named, type Phrase, type Phrases, quoted, whole } from './phrases.ts';

/** Never 100% before all is done. */
const percent = (share: number) => `${Math.floor(100 * share)}%`;

type Counts = Record<'added' | 'updated' | 'skipped' | 'rejected', number>;

export const listWords = {
  contacts: {
    title: ['Contacts', '联系人'],
    ofTask: (name: string) => [`Contacts of ${quoted(name)}`, `${quoted(name)}的联系人`],
    total: (count: number) => [counted(count, 'contact'), `共 ${whole(count)} 个联系人`],
    status: ['Last outcome', '最近结果'],
    next: ['Next call', '下次呼叫'],
    blocked: ['Blocked', '不呼叫'],
    emergency: ['emergency number', '紧急号码'],
    callBefore: ['its latest time has passed', '已过最晚可呼叫时间'],
    excludedBy: (name: string) => [`on ${quoted(name)}`, `在排除名单${quoted(name)}中`],
    agreed: (time: string) => [`callback agreed for ${time}`, `约定回呼时间 ${time}`],
    ofThemCallbacks: (count: number) => [
      `${whole(count)} of them ${count === 1 ? 'was a callback' : 'were callbacks'}`,
      `其中 ${whole(count)} 次为预约回呼`,
    ],
    showFields: (phone: string) => [`Fields of ${phone}`, `${phone} 的字段`],
    showCalls: (phone: string) => [`Calls to ${phone}`, `${phone} 的呼叫记录`],
    notLookedAt: (count: string) => [
      `Of these contacts ${count} match the filter of the task. The others are skipped when their turn comes.`,
      `其中符合任务筛选条件的有 ${count} 个，其余的轮到时会被排除。`,
    ],
    noneOf: ['No contacts here at the moment.', '目前没有联系人。'],
    recallChosen: ['Call selected again', '再次呼叫所选'],
    search: ['Search by number', '按号码搜索'],
    add: ['Add a contact', '添加联系人'],
    editTitle: (phone: string) => [`Edit ${phone}`, `编辑 ${phone}`],
    deleteTitle: (phone: string) => [`Delete ${phone}?`, `删除 ${phone}？`],
    deleteWords: [
      'The contact is deleted from this list for good. Running tasks will not call it.',
      '将从名单中永久删除，进行中的任务不再呼叫此号码。',
    ],
    deleteManyTitle: (count: number) => [
      `Delete ${counted(count, 'contact')}?`,
      `删除 ${whole(count)} 个联系人？`,
    ],
    deleteManyWords: [
      'The selected contacts, on all pages, are deleted from this list for good. Running tasks will not call them.',
      '将从名单中永久删除各页所选的联系人，进行中的任务不再呼叫这些号码。',
    ],
    deletedMany: (count: number, gone: number) => [
      `${counted(count, 'contact')} deleted${gone > 0 ? `, ${whole(gone)} no longer existed` : ''}`,
      `已删除 ${whole(count)} 个联系人${gone > 0 ? `，另有 ${whole(gone)} 个已不存在` : ''}`,
    ],
    added: (phone: string) => [`${phone} added`, `已添加 ${phone}`],
    saved: (phone: string) => [`${phone} saved`, `已保存 ${phone}`],
    deleted: (phone: string) => [`${phone} deleted`, `已删除 ${phone}`],
    fields: ['Other fields', '其他字段'],
    fieldName: ['Field', '字段'],
    fieldValue: ['Value', '值'],
    addField: ['Add a field', '添加字段'],
    badField: (name: string) => [
      `${quoted(name)} is already in use. Choose another field name.`,
      `${quoted(name)}已被使用，请换一个字段名。`,
    ],
    namelessField: (value: string) => [
      `${quoted(value)} has no field name. Enter one, or remove the value.`,
      `${quoted(value)}没有字段名，请填写字段名或删除该值。`,
    ],
    noMatch: ['No number matches.', '没有匹配的号码。'],
    emptyTitle: ['No contacts yet', '还没有联系人'],
    empty: ['Drop a contact file here, or add contacts by hand.', '将联系人文件拖到这里，或手动添加。'],
    importing: ['A file is being imported. Its contacts appear here.', '正在导入文件，联系人将显示在这里。'],
  },
  sources: {
    title: ['Contact lists', '客户名单'],
    new: ['New contact list', '新建客户名单'],
    total: (count: number) => [counted(count, 'contact list'), `共 ${whole(count)} 个客户名单`],
    emptyTitle: ['No contact lists yet', '还没有客户名单'],
    empty: [
      'A contact list holds the people to call. Import a file with their numbers: CSV, Excel or OpenDocument.',
      '客户名单存放要呼叫的联系人。请导入含电话号码的文件：CSV、Excel 或 OpenDocument。',
    ],
    importFile: ['Import a contact file', '导入联系人文件'],
    noMatch: ['No contact list matches.', '没有匹配的客户名单。'],
    name: ['List name', '名单名称'],
    edit: ['Edit name and description', '修改名称和说明'],
    added: (name: string) => [`${quoted(name)} added`, `已添加${quoted(name)}`],
    deleteWords: (contacts: number) => [
      `The list is deleted for good, with ${counted(contacts, 'contact')} and its imports. The name becomes free. Closed tasks keep their figures, without the contacts.`,
      `名单及其 ${whole(contacts)} 个联系人和导入记录将永久删除，名称可以再次使用。已归档任务的统计数字保留，但不再有联系人。`,
    ],
    inUse: (tasks: string) => [
      `Tasks that are not closed use this list: ${tasks}. Close or delete them first.`,
      `有未归档的任务正在使用此名单：${tasks}。请先归档或删除这些任务。`,
    ],
    others: (count: number) => [`${whole(count)} more`, `另外 ${whole(count)} 个`],
    import: ['Import a file', '导入文件'],
    exportExcel: ['Export to Excel', '导出为 Excel'],
    exportCsv: ['Export to CSV', '导出为 CSV'],
    newTask: ['New task with these contacts', '用这些联系人新建任务'],
    dropHere: ['Drop the file to import it', '松开鼠标即可导入'],
  },
  imports: {
    title: ['Imports', '导入记录'],
    current: ['Imports in progress', '正在进行的导入'],
    total: (count: number) => [counted(count, 'import'), `共 ${whole(count)} 次导入`],
    /** `file`: its name in quotation marks. */
    failed: (file: string, time: string) => [
      `Import of ${file} failed at ${time}. `,
      `${file}于 ${time} 导入失败：`,
    ],
    stuck: (file: string, time: string) => [
      `Import of ${file} has been stuck since ${time}. `,
      `${file}的导入自 ${time} 起没有进展：`,
    ],
    file: ['File', '文件'],
    time: ['Time', '时间'],
    rows: ['Rows', '行数'],
    imported: ['Imported', '已导入'],
    notImported: ['Not imported', '未导入'],
    added: ['New', '新增'],
    updated: ['Updated', '更新'],
    skipped: ['Skipped (duplicates)', '跳过（重复）'],
    rejected: ['Rejected', '无法导入'],
    empty: ['No file has been imported yet.', '还没有导入过文件。'],
    status: {
      WAITING: ['Waiting', '等待中'],
      RUNNING: ['Running', '进行中'],
      DONE: ['Completed', '已完成'],
      FAILED: ['Failed', '失败'],
    },
    /** Why an import failed or is stuck. Codes of files have their own words. */
    reasons: {
      CANCELLED: ['Cancelled', '已取消'],
      BROKE_OFF: [
        'Broke off ten times and was given up. Import the file again.',
        '中断十次后已放弃，请重新导入文件。',
      ],
      NEVER_ARRIVED: ['The file never arrived. Import it again.', '文件始终未送达，请重新导入。'],
      NOT_ARRIVED: ['The file has not arrived. Import it again.', '文件尚未送达，请重新导入。'],
      NOT_FINISHED: ['Does not come to its end. The service tries again.', '迟迟未完成，系统会自动重试。'],
    },
  },
  import: {
    title: (name: string) => [`Import into ${quoted(name)}`, `导入到${quoted(name)}`],
    choose: ['Choose files', '选择文件'],
    drop: ['Drop contact files here, or', '将联系人文件拖到这里，或'],
    kinds: (rows: number, megabytes: number) => [
      `CSV, Excel (XLSX, XLS, XLSB) or OpenDocument, at most ${counted(rows, 'row')} and ${megabytes} MB.`,
      `CSV、Excel（XLSX、XLS、XLSB）或 OpenDocument，最多 ${whole(rows)} 行、${megabytes} MB。`,
    ],
    reading: ['Reading the file', '正在读取文件'],
    sheet: ['Sheet', '工作表'],
    headerRow: ['Title row', '标题行'],
    noTitles: ['No title row', '没有标题行'],
    column: ['Column', '列'],
    samples: ['Samples', '示例'],
    becomes: ['Becomes', '对应字段'],
    own: (title: string) => [`Field ${quoted(title)}`, `字段${quoted(title)}`],
    excluded: ['Do not import', '不导入'],
    untitled: (column: string) => [`Column ${column}`, `${column} 列`],
    rows: (count: number) => [counted(count, 'row'), `${whole(count)} 行`],
    notImported: (count: number) => [
      `${counted(count, 'row')} cannot be imported.`,
      `${whole(count)} 行无法导入。`,
    ],
    willBeImported: ['Will be imported', '将导入'],
    ofRows: (count: number) => [`of ${counted(count, 'row')}`, `行（共 ${whole(count)} 行）`],
    onDuplicate: ['When a number exists', '号码重复时'],
    skip: ['Skip the row', '跳过'],
    update: ['Update the contact', '更新'],
    start: (count: number) => [`Import ${counted(count, 'row')}`, `导入 ${whole(count)} 行`],
    startFile: (file: string) => [`Import ${quoted(file)}`, `导入${quoted(file)}`],
    noPhone: ['Select the column with the phone numbers.', '请选择电话号码所在的列。'],
    twice: ['Two columns become the same field.', '有两列对应同一个字段。'],
    running: ['Importing', '正在导入'],
    sending: ['Uploading', '正在上传'],
    sent: (done: string, all: string, share: number) => [
      `${done} of ${all} MB (${percent(share)})`,
      `${done} / ${all} MB（${percent(share)}）`,
    ],
    arrived: ['Waiting to be read', '已上传，等待读取'],
    awaited: ['Waiting for the file', '等待文件上传'],
    read: (rows: number) => [`${counted(rows, 'row')} read`, `已读取 ${whole(rows)} 行`],
    timeToGo: (time: string) => [`about ${time} left`, `约剩 ${time}`],
    cancel: ['Cancel the import', '取消导入'],
    cancelTitle: (file: string) => [`Cancel the import of ${quoted(file)}?`, `取消导入${quoted(file)}？`],
    /** `isSeen`: rows are seen in the list before the import has ended. */
    cancelWords: (isSeen: boolean) =>
      isSeen
        ? [
            'Rows that can be seen in the list already stay there. The others are not imported.',
            '名单中已显示的行会保留，其余的行不再导入。',
          ]
        : ['No row is imported. The list stays as it is.', '不会导入任何行，名单保持不变。'],
    short: (count: number, examples: string) => [
      `${counted(count, 'number has', 'numbers have')} fewer than 7 digits: ${examples}`,
      `${whole(count)} 个号码少于 7 位：${examples}`,
    ],
    inCell: (number: string, cell: string) => [`${number} (${cell})`, `${number}（${cell}）`],
    takeShort: ['Import them too', '也导入这些号码'],
    cancelled: ['The import was cancelled.', '导入已取消。'],
    inSteps: [
      'Rows become visible in steps, so that tasks can call them. You may leave this page.',
      '各行会分批显示，任务可以随即呼叫。可以离开此页面。',
    ],
    headOnly: [
      'Large file: the columns are shown from its first rows. All rows are checked when it is imported.',
      '文件较大：按前面的行显示各列，导入时会检查所有行。',
    ],
    progress: (done: number, all: number) => [
      `${whole(done)} of ${counted(all, 'row')} (${percent(done / all)})`,
      `${whole(done)} / ${whole(all)} 行（${percent(done / all)}）`,
    ],
    done: ['Import finished', '导入完成'],
    rejectedRows: ['Rejected rows', '未导入的行'],
    row: ['Row', '行'],
    cell: ['Cell', '单元格'],
    downloadRejected: ['Download rejected rows', '下载未导入的行'],
    fix: [
      'Fix these rows in the file and import it again. Existing rows are skipped.',
      '请在文件中改正后再次导入，已导入的行会自动跳过。',
    ],
    downloadOf: (file: string) => [`Rejected rows of ${named(file)}`, `下载${quoted(file)}未导入的行`],
    another: ['Import another file', '导入另一个文件'],
    toContacts: ['Show the contacts', '查看联系人'],
    toTask: ['Call these people', '呼叫这些联系人'],
    firstOf: (shown: number, all: number) => [
      `The first ${whole(shown)} of ${whole(all)}`,
      `显示前 ${whole(shown)} 行，共 ${whole(all)} 行`,
    ],
    codes: {
      DUPLICATE: ['Number already in the list', '名单中已有此号码'],
      DUPLICATE_IN_FILE: ['Number repeated in the file', '文件中号码重复'],
      INVALID_PHONE: ['Not a valid phone number', '号码格式不正确'],
      MISSING_PHONE: ['No phone number', '号码为空'],
      INVALID_FIELD: ['A field is too long, or there are too many fields', '字段过长或过多'],
      NOT_IMPORTED: ['The import ended before this row', '导入在此行之前已结束'],
    },
    repeats: (row: number) => [`Same number as row ${row}`, `与第 ${row} 行重复`],
    problems: {
      several: ['Several numbers in one cell. Use a row for each.', '单元格中有多个号码，请每行只填一个。'],
      shortened: [
        'Shortened by the spreadsheet. Format the column as text and enter the number again.',
        '号码被表格软件缩写，请将该列设为文本后重新输入。',
      ],
      zerosLost: [
        'Too short. A spreadsheet drops leading zeros unless the column is formatted as text.',
        '号码过短。列未设为文本时，表格软件会去掉开头的 0。',
      ],
    } satisfies Record<PhoneProblem, Phrase>,
    sameTitles: [
      'Files with the same titles are imported in the same way, without asking again.',
      '标题相同的文件按相同方式导入，不再询问。',
    ],
    current: ['Now', '当前'],
    leave: ['Do not import this file', '不导入此文件'],
    summary: ({ added, updated, skipped, rejected }: Counts) => [
      `${whole(added)} new, ${whole(updated)} updated, ${whole(skipped)} skipped, ${whole(rejected)} rejected`,
      `新增 ${whole(added)}、更新 ${whole(updated)}、跳过 ${whole(skipped)}、无法导入 ${whole(rejected)}`,
    ],
    sourceName: ['Name of the new contact list', '新客户名单的名称'],
    failed: ['The file could not be imported.', '文件无法导入。'],
    largeFile: [
      'This file is uploaded to storage and read there. Columns are found by their titles.',
      '此文件将上传到存储后读取，各列按标题识别。',
    ],
    otherFile: ['Choose another file', '选择其他文件'],
  },
  numbers: {
    country: (name: string) => [
      `Numbers without + are read as numbers of ${name}.`,
      `不带 + 的号码按${name}号码识别。`,
    ],
    noCountry: [
      'No country is set: numbers are compared as they are written. A number with its country code and the same number without it count as two.',
      '未设置国家或地区，号码按原样比较：带国家代码与不带国家代码的同一号码视为两个号码。',
    ],
    mixed: (plus: number, bare: number) => [
      `${counted(plus, 'number begins', 'numbers begin')} with + or 00, ${whole(bare)} without. Check that all are complete.`,
      `${whole(plus)} 个号码以 + 或 00 开头，${whole(bare)} 个没有，请确认号码完整。`,
    ],
    doubtful: (count: number, name: string) => [
      `${counted(count, 'number is', 'numbers are')} not valid in ${name}, for example too short.`,
      `${whole(count)} 个号码不是有效的${name}号码，例如位数不足。`,
    ],
  },
  doNotCall: {
    title: ['Do not call', '免打扰名单'],
    words: [
      'Numbers on this list are never called by any task, from the moment they are added.',
      '名单中的号码不会被任何任务呼叫，添加后立即生效。',
    ],
    numbers: ['Numbers', '号码'],
    total: (count: number) => [counted(count, 'number'), `共 ${whole(count)} 个号码`],
    add: ['Add a number', '添加号码'],
    emptyTitle: ['The list is empty', '名单为空'],
    empty: ['Add a number, or import a file with numbers.', '添加号码，或导入号码文件。'],
    deleteWords: ['Tasks can call this number again.', '删除后，任务可能会呼叫此号码。'],
    deleteManyWords: [
      'The selected numbers, on all pages, are deleted from the do-not-call list. Tasks can call them again.',
      '将从免打扰名单中删除各页所选的号码，删除后任务可能会呼叫这些号码。',
    ],
  },
} satisfies Phrases;
