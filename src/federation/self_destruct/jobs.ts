import { tellOfDeletions } from './tell_of_deletions.ts'

export const jobs = [tellOfDeletions]
