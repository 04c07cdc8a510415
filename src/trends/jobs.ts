import { recount, refresh } from './refresh.ts'

export const jobs = [refresh, recount]
