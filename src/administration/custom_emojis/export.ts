import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { listEmojis, packEmojis } from '../../media/custom_emojis/index.ts'
import { Response } from '../../platform/http/index.ts'
import { inFolder } from '../../platform/storage/index.ts'
import { staffView } from '../index.ts'
import { EXPORT_PATH } from './pages.ts'

/** An archive of this server's emojis, which the import reads. */
export const exportEmojis = staffView({
  path: EXPORT_PATH,
  summary: "Download the pictures of this server's custom emojis as an archive",
  permissions: ['manage_custom_emojis'],
  params: {},
  async show(_, { context }) {
    const emojis = await listEmojis(context.database, { isRemote: false })
    return inFolder(context, async folder => {
      const file = path.join(folder, randomUUID())
      await packEmojis(context, emojis, { file })
      return new Response(200, 'application/gzip', await readFile(file), {
        'Content-Disposition': 'attachment; filename="export.tar.gz"',
      })
    })
  },
})
