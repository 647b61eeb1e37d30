//! Which nodes of a graph lead back to themselves, in time proportional to its edges.
//! Must not live here: what the nodes are.
//!
//! Tarjan's algorithm for strongly connected components: a depth-first walk numbers the nodes as it finds them and
//! keeps them on a stack. For each it learns the earliest node on the stack that it leads to; one that leads to none
//! before itself closes a component, which is all that is above it on the stack. A node is on a cycle if its component
//! has more than one node, or if it leads directly to itself. The walk keeps its own trail, as a chain may be long.

#[derive(Clone, Copy, Default)]
struct Node {
    /// When it was found, from one on; zero before that, and `CLOSED` once its component is known.
    met: usize,
    /// The earliest found node that it leads to.
    low: usize,
    is_cyclic: bool,
}

const CLOSED: usize = usize::MAX;

struct CycleSearch<'g> {
    edges: &'g [Vec<usize>],
    nodes: Vec<Node>,
    stack: Vec<usize>,
    count: usize,
}

/// Whether each node is on a cycle; `edges` are the nodes that each leads to.
pub(super) fn cyclic(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut walk = CycleSearch {
        edges,
        nodes: vec![Node::default(); edges.len()],
        stack: Vec::new(),
        count: 0,
    };
    for start in 0..edges.len() {
        if walk.node(start).met == 0 {
            walk.from(start);
        }
    }
    walk.nodes.into_iter().map(|node| node.is_cyclic).collect()
}

impl CycleSearch<'_> {
    fn node(&self, at: usize) -> Node {
        self.nodes.get(at).copied().unwrap_or_default()
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(at) {
            change(node);
        }
    }

    fn meet(&mut self, at: usize) {
        self.count += 1;
        let met = self.count;
        self.change(at, |node| (node.met, node.low) = (met, met));
        self.stack.push(at);
    }

    fn from(&mut self, start: usize) {
        let edges = self.edges;
        // Each node on the way with the number of the edge to follow next.
        let mut trail = vec![(start, 0)];
        self.meet(start);
        while let Some((at, next)) = trail.last_mut() {
            let at = *at;
            if let Some(&to) = edges.get(at).and_then(|edges| edges.get(*next)) {
                *next += 1;
                if self.node(to).met == 0 {
                    self.meet(to);
                    trail.push((to, 0));
                    continue;
                }
                let met = self.node(to).met;
                self.change(at, |node| {
                    node.low = node.low.min(met);
                    node.is_cyclic |= to == at;
                });
                continue;
            }
            trail.pop();
            self.close(at);
            let low = self.node(at).low;
            if let Some(&(before, _)) = trail.last() {
                self.change(before, |node| node.low = node.low.min(low));
            }
        }
    }

    /// Takes the component of a node off the stack, if it is the node that was found first.
    fn close(&mut self, at: usize) {
        let Node { met, low, .. } = self.node(at);
        if met != low {
            return;
        }
        let is_single = self.stack.last() == Some(&at);
        while let Some(top) = self.stack.pop() {
            self.change(top, |node| {
                (node.met, node.low) = (CLOSED, CLOSED);
                node.is_cyclic |= !is_single;
            });
            if top == at {
                break;
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use proptest::prelude::*;

    /// By following every edge from every node.
    fn slowly(edges: &[Vec<usize>], start: usize) -> bool {
        let (mut open, mut seen) = (vec![start], vec![false; edges.len()]);
        while let Some(at) = open.pop() {
            for &to in &edges[at] {
                if to == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[to], true) {
                    open.push(to);
                }
            }
        }
        false
    }

    proptest! {
        #[test]
        fn finds_what_leads_back(edges in prop::collection::vec(prop::collection::vec(0..9_usize, 0..3), 9)) {
            let want: Vec<bool> = (0..edges.len()).map(|start| slowly(&edges, start)).collect();
            prop_assert_eq!(super::cyclic(&edges), want);
        }
    }
}
