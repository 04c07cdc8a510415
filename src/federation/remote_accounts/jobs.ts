import { copyPicture } from './pictures.ts'

export const jobs = [copyPicture]
