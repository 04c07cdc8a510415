import { followCopies, followMedia, playMedia } from './short_urls.ts'

export const operations = [followMedia, playMedia, ...followCopies]
