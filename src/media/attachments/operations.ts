import { changeMedia } from './change.ts'
import { removeMedia } from './remove.ts'
import { serveFile } from './serve.ts'
import { showMedia } from './show.ts'
import { uploadMedia, uploadMediaAndWait } from './upload.ts'

export const operations = [uploadMedia, uploadMediaAndWait, showMedia, changeMedia, removeMedia, serveFile]
