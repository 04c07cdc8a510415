import { randomBytes } from 'node:crypto'

/**
 * Makes ids for requests: a random part for the process, then a number. Cheap, and unique in the
 * logs of many processes.
 */
export function requestIds(): () => string {
  const process = randomBytes(8).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
