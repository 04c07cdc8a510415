import { copyPicture } from './pictures.ts'
import { storeRedirection } from './store_redirection.ts'

export const jobs = [copyPicture, storeRedirection]
