import { accountRemoval } from './remove.ts'

export const jobs = [accountRemoval]
