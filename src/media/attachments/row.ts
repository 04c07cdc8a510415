import { c } from '../../platform/database/index.ts'

/** The columns of an attachment's entity, in the order of the statements. */
export const ATTACHMENT = {
  id: c.id,
  type: c.text,
  processing: c.text,
  file_key: c.nullable(c.text),
  preview_key: c.nullable(c.text),
  remote_url: c.nullable(c.text),
  preview_remote_url: c.nullable(c.text),
  meta: c.json<Record<string, unknown>>(),
  description: c.nullable(c.text),
  blurhash: c.nullable(c.text),
} as const
