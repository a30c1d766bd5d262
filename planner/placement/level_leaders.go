package placement

func (l *leaders) level(g *graph) {}

func (l *leaders) levelTopic(g *graph, topic int32) {}
