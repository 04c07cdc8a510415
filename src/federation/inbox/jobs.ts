import { receive } from './process.ts'

export const jobs = [receive]
