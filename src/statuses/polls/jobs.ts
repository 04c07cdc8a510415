import { endPoll } from './end_poll.ts'

export const jobs = [endPoll]
