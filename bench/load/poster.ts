import { Agent, fetch } from 'undici'
import { nowMicroseconds } from './sockets.ts'

/** Who posts. */
export interface Poster {
  /** Posts a status with the time of posting in it. @returns the body of the answer. @throws Error when it is not accepted */
  post(text: string, options?: { visibility?: string }): Promise<string>
  close(): Promise<void>
}

/** @param connections most posts that are under way at once */
export function createPoster(url: string, token: string, connections: number): Poster {
  const dispatcher = new Agent({ connections })
  return {
    async post(text, { visibility = 'public' } = {}) {
      const answer = await fetch(`${url}/api/v1/statuses`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: `bench-${nowMicroseconds()}- ${text}`, visibility, language: 'en' }),
      })
      const body = await answer.text()
      if (!answer.ok) throw new Error(`posting answers ${answer.status}: ${body}`)
      return body
    },
    close: () => dispatcher.close(),
  }
}
