import { counted, type Phrases, quoted, whole } from './phrases.ts';

const joined = (parts: readonly string[], also: readonly string[], comma: string, semicolon: string) =>
  [parts, also]
    .filter((some) => some.length > 0)
    .map((some) => some.join(comma))
    .join(semicolon);

export const preflightWords = {
  preflight: {
    inList: (count: number) => [`${whole(count)} in the list`, `名单共 ${whole(count)} 人`],
    onDoNotCall: (count: number) => [`${whole(count)} on do-not-call`, `${whole(count)} 人在免打扰名单`],
    onList: (count: number, name: string) => [
      `${whole(count)} on ${quoted(name)}`,
      `${whole(count)} 人在${quoted(name)}`,
    ],
    willBeCalled: (count: number) => [`${whole(count)} will be called`, `将呼叫 ${whole(count)} 人`],
    alsoIn: (count: number, name: string, state: string) => [
      `${whole(count)} of them ${count === 1 ? 'is' : 'are'} also in ${quoted(name)}${state}`,
      `其中 ${whole(count)} 人也在任务${quoted(name)}中${state}`,
    ],
    running: [', which is running', '（进行中）'],
    paused: [', which is paused', '（已暂停）'],
    alsoInMore: (tasks: number) => [
      `some also in ${counted(tasks, 'other task')}`,
      `另有 ${whole(tasks)} 个任务包含其中的号码`,
    ],
    sentence: (parts: readonly string[], also: readonly string[]) => [
      `${joined(parts, also, ', ', '; ')}.`,
      `${joined(parts, also, '，', '；')}。`,
    ],
    bar: (called: number, blocked: number) => [
      `${whole(called)} will be called, ${whole(blocked)} will not`,
      `呼叫 ${whole(called)} 人，不呼叫 ${whole(blocked)} 人`,
    ],
    nobody: ['Everyone is on a list, so nobody will be called.', '所有人都在名单上，不会呼叫任何人。'],
    otherSpelling: (count: number) => [
      `${counted(count, 'number')} will be called although a list has ${count === 1 ? 'it' : 'them'} in another spelling, for example with or without the country code. Check the lists.`,
      `有 ${whole(count)} 个号码以另一种写法（例如带或不带国家代码）出现在名单中，仍会被呼叫，请检查名单。`,
    ],
    notAllCompared: [
      'Other running tasks have very large lists, which were not all compared.',
      '其他进行中的任务名单过大，未全部比对。',
    ],
    ownZones: [
      'Contacts with a time zone of their own are called by their own clock.',
      '有自己时区的联系人按其当地时间呼叫。',
    ],
    frozen: [
      'Once published, the name, contact list, daily hours, attempts and priority can no longer be changed.',
      '发布后，名称、客户名单、每日呼叫时段、呼叫次数和优先级不能再修改。',
    ],
    download: ['Download the people who will not be called', '下载不呼叫的人员名单'],
    comparing: ['Comparing with the lists…', '正在与名单比对…'],
    unknown: [
      'The lists could not be compared now. Numbers on a list are still not called.',
      '暂时无法与名单比对，名单上的号码仍不会被呼叫。',
    ],
    callPeople: (count: number) => [`Call ${counted(count, 'person', 'people')}`, `呼叫 ${whole(count)} 人`],
  },
} satisfies Phrases;
