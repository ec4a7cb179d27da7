import type { StandingName } from '../../dialing/rules/task-contact-views.ts';
import type { CallReason } from '../../tasks/rules/task-settings.ts';

/** The languages in which the service writes files for people. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

const en = {
  standing: {
    notDialed: 'Not called yet',
    inCall: 'In a call',
    waiting: 'To be called again',
    callback: 'Callback',
    success: 'Reached',
    failed: 'Failed',
    noAnswer: 'No answer',
    blocked: 'Blocked',
    notSelected: 'Not selected',
  },
  reason: {
    busy: 'Busy',
    rejected: 'Rejected',
    noAnswer: 'Not picked up',
    voicemail: 'Voicemail',
    poweredOff: 'Powered off',
    outOfService: 'Out of service',
    unreachable: 'Unreachable',
    invalidNumber: 'Invalid number',
    networkError: 'Network error',
    other: 'Other',
  },
  title: {
    phoneNumber: 'Phone number',
    customerName: 'Name',
    address: 'Address',
    orderAmount: 'Amount',
    contactId: 'Contact ID',
    status: 'Latest call',
    callCount: 'Calls',
    talkTime: 'Talk time',
    ringTime: 'Ringing',
    lastCallTime: 'Last called',
    callOutcome: 'Outcome',
    callReason: 'Reason',
    createTime: 'Added',
    callTime: 'Time',
    blockedBy: 'On the list',
    callId: 'Call ID',
    taskId: 'Task ID',
    dataSourceId: 'List ID',
    callerNumber: 'Caller number',
    attempt: 'Attempt',
    startTime: 'Dialed at',
    endTime: 'Ended at',
    outcome: 'Outcome',
    reason: 'Reason',
    final: 'No further call',
    callbackTime: 'Callback',
    doNotCall: 'Do not call',
    disposition: 'Disposition',
    summary: 'Summary',
    recordingUrl: 'Recording',
    transcriptUrl: 'Transcript',
    providerCallId: 'Provider call ID',
    reportedBy: 'Reported by',
    updateTime: 'Annotated at',
  },
  sheet: { contacts: 'Contacts', calls: 'Calls' },
  doNotCall: 'Do not call',
  emergency: 'Emergency number',
  callBefore: 'Latest call time has passed',
  yes: 'Yes',
  no: 'No',
};

type Words = {
  /** How a contact stands in a task, and how a call ended. */
  standing: Readonly<Record<StandingName, string>>;
  reason: Readonly<Record<CallReason, string>>;
  title: Readonly<Record<keyof typeof en.title, string>>;
  sheet: { contacts: string; calls: string };
  /** The list that excludes its contacts from every task. */
  doNotCall: string;
  /** What blocks an emergency number. */
  emergency: string;
  /** The `callBefore` of the contact has passed. */
  callBefore: string;
  yes: string;
  no: string;
};

const zh: Words = {
  standing: {
    notDialed: '未呼叫',
    inCall: '通话中',
    waiting: '待重呼',
    callback: '预约回呼',
    success: '已接通',
    failed: '失败',
    noAnswer: '未接听',
    blocked: '免打扰（不呼叫）',
    notSelected: '不在筛选范围',
  },
  reason: {
    busy: '占线',
    rejected: '拒接',
    noAnswer: '无人接听',
    voicemail: '语音信箱',
    poweredOff: '关机',
    outOfService: '停机',
    unreachable: '无法接通',
    invalidNumber: '空号',
    networkError: '网络故障',
    other: '其他',
  },
  title: {
    phoneNumber: '电话号码',
    customerName: '姓名',
    address: '地址',
    orderAmount: '金额',
    contactId: '联系人编号',
    status: '最近一次呼叫',
    callCount: '呼叫次数',
    talkTime: '通话时长',
    ringTime: '振铃时长',
    lastCallTime: '最近呼叫时间',
    callOutcome: '结果',
    callReason: '原因',
    createTime: '添加时间',
    callTime: '呼叫时间',
    blockedBy: '所在名单',
    callId: '呼叫编号',
    taskId: '任务编号',
    dataSourceId: '名单编号',
    callerNumber: '外显号码',
    attempt: '第几次呼叫',
    startTime: '拨号时间',
    endTime: '结束时间',
    outcome: '结果',
    reason: '原因',
    final: '不再呼叫',
    callbackTime: '预约回呼',
    doNotCall: '免打扰',
    disposition: '业务结果',
    summary: '小结',
    recordingUrl: '录音',
    transcriptUrl: '文字记录',
    providerCallId: '服务商呼叫编号',
    reportedBy: '上报方',
    updateTime: '补充时间',
  },
  sheet: { contacts: '联系人', calls: '呼叫记录' },
  doNotCall: '免打扰名单',
  emergency: '紧急号码',
  callBefore: '已过最晚可呼叫时间',
  yes: '是',
  no: '否',
};

/** The words of standings, reasons and titles, once for the whole service. */
export const words: Readonly<Record<Language, Words>> = { en, zh };
