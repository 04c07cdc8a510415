import { sendPush } from './send.ts'

export const jobs = [sendPush]
