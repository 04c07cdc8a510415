import { makeArchive } from './archive.ts'
import { expireArchives } from './expire.ts'

export const jobs = [makeArchive, expireArchives]
