import { removeFiles } from '../../platform/storage/files.ts'
import { processMedia } from './process.ts'
import { expireMedia } from './remove.ts'

export const jobs = [processMedia, removeFiles, expireMedia]
