import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatus, type RenderOptions } from '../../statuses/index.ts'
import type { Channel, Frame } from '../../platform/streaming/index.ts'
import type { Reader } from './reader.ts'

/** The owner of the channel, with their current state; undefined when the last reader has left. */
export async function viewerOf(services: Services, channel: Channel<Reader>) {
  const reader = channel.anyReader()
  return reader && services.tokens.viewer(reader.userId)
}

/** Renders a status for the owner of the channel. */
export async function renderFor(
  services: Services,
  channel: Channel<Reader>,
  event: string,
  status: Id,
  options: RenderOptions = {},
): Promise<Frame<Reader> | undefined> {
  const viewer = await viewerOf(services, channel)
  const rendered = viewer && (await renderStatus(services, viewer, status, options))
  return rendered && { event, payload: rendered.text }
}
