import { askForArchive, showExports } from './page.ts'
import { severedOperations } from './severed.ts'
import { downloadArchive, downloadTable, sendArchive } from './download.ts'

export const operations = [
  showExports,
  askForArchive,
  downloadTable,
  downloadArchive,
  sendArchive,
  ...severedOperations,
]
