/** Nodes in an order in which each comes after all that it reads. */
import { type DbtNode, nodeKey } from './node.ts'
import type { ProjectProblem } from './problem.ts'

/** A node that reads itself through others is put where it was met first, and is a problem. */
export function inOrder(nodes: readonly DbtNode[], problems: ProjectProblem[]): readonly DbtNode[] {
  const byKey = new Map(nodes.map((node) => [nodeKey(node), node]))
  const ordered = new Set<DbtNode>()
  const under = new Set<DbtNode>()
  for (const root of nodes) {
    const stack = [{ node: root, next: 0 }]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      under.add(top.node)
      const key = top.node.reads[top.next++]
      if (key === undefined) {
        ordered.add(top.node)
        under.delete(top.node)
        stack.pop()
        continue
      }
      const read = byKey.get(key)
      if (!read || ordered.has(read)) continue
      if (!under.has(read)) stack.push({ node: read, next: 0 })
      else if (read !== top.node) {
        problems.push({
          code: 'REF_CYCLE',
          message: `${top.node.name} and ${read.name} read each other`,
          file: top.node.file,
        })
      }
    }
  }
  return [...ordered]
}
