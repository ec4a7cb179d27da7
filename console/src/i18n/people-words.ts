import { counted, type Phrases, quoted, whole } from './phrases.ts';

export const peopleWords = {
  find: ['Find a number', '查找号码'],
  findWords: [
    'Enter a phone number in the search field to see its lists, its tasks and its calls.',
    '在搜索框中输入电话号码，可查看它所在的名单、任务和呼叫记录。',
  ],
  blocked: ['On the do-not-call list', '在免打扰名单中'],
  notBlocked: ['Not on the do-not-call list', '不在免打扰名单中'],
  nowhere: ['This number is in no contact list', '没有客户名单包含此号码'],
  blockedWords: [
    'It is on the do-not-call list: no task calls it.',
    '此号码在免打扰名单中，任何任务都不会呼叫。',
  ],
  partOfNumber: [
    'If this is a part of a number, enter the whole number.',
    '如果只是号码的一部分，请输入完整号码。',
  ],
  notBlockedWords: ['It is not on the do-not-call list.', '此号码不在免打扰名单中。'],
  block: ['Add to the do-not-call list', '加入免打扰名单'],
  blockDone: (phone: string) => [`${phone} added to the do-not-call list`, `已将 ${phone} 加入免打扰名单`],
  unblock: ['Remove from the do-not-call list', '移出免打扰名单'],
  otherSpelling: [
    'The do-not-call list has this number in another spelling. Delete it there.',
    '免打扰名单中的号码写法不同，请在名单中删除。',
  ],
  spelledHere: ['Number in this list', '此名单中的号码'],
  timeline: ['Over all tasks', '所有任务中的记录'],
  task: ['Task', '任务'],
  noTasks: ['This contact is in no task.', '此联系人不在任何任务中。'],
  deleted: ['Deleted from this list. Its calls are kept.', '已从此名单中删除，呼叫记录仍保留。'],
  openList: ['Open the list', '打开名单'],
  showFields: ['Show the fields', '显示字段'],
  remove: ['Remove from this list', '从此名单移除'],
  removeTitle: (phone: string, list: string) => [
    `Remove ${phone} from ${quoted(list)}?`,
    `将 ${phone} 从${quoted(list)}中移除？`,
  ],
  removed: (phone: string, list: string) => [
    `${phone} removed from ${quoted(list)}`,
    `已将 ${phone} 从${quoted(list)}中移除`,
  ],
  erase: ['Erase', '彻底删除'],
  eraseTitle: (phone: string) => [`Erase ${phone}?`, `彻底删除 ${phone}？`],
  eraseWords: [
    'The number is deleted from every contact list, with all its fields and its calls in every task. This cannot be undone.',
    '将从所有客户名单中删除此号码及其全部字段，并删除它在所有任务中的呼叫记录，删除后无法恢复。',
  ],
  eraseKeeps: [
    'The figures of the tasks stay as they are. A call in progress may end.',
    '任务的统计数字不变，进行中的通话会正常结束。',
  ],
  eraseCopies: [
    'Copies in backups, imported files and stored answers expire by themselves. You will see by when.',
    '备份、导入文件和已保存答复中的副本会自动过期，删除后会显示最晚的过期时间。',
  ],
  keepBlocked: ['Keep the bare number on the do-not-call list', '在免打扰名单中只保留号码'],
  mayReturn: [
    'The number is not on the do-not-call list. If it is imported again, tasks can call it.',
    '此号码不在免打扰名单中，再次导入后任务可能会呼叫。',
  ],
  continue: ['Continue', '继续'],
  typeNumber: (phone: string) => [`Type ${phone} to confirm`, `请输入 ${phone} 以确认`],
  otherNumber: ['This is another number.', '输入的号码不一致。'],
  eraseNow: ['Erase for good', '确认彻底删除'],
  erased: (contacts: number, tasks: number, time: string) => [
    `Erased: ${counted(contacts, 'contact')}, with the calls in ${counted(tasks, 'task')}. Copies in backups, imported files and stored answers are gone by ${time}.`,
    `已彻底删除 ${whole(contacts)} 个联系人及其在 ${whole(tasks)} 个任务中的呼叫记录。备份、导入文件和已保存答复中的副本最晚于 ${time} 过期。`,
  ],
} satisfies Phrases;
