export { type PollInput, type PollDraft, pollParam, readPoll } from './draft.ts'
export { type PollFragment, pollText, type PollRow, toPollFragment } from './fragment.ts'
export { endOf, lockPollOf, scheduleEnd, storePoll } from './store.ts'
