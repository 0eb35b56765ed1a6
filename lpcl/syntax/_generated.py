"""Made from `grammar/lpcl.tx` by `python -m lpcl.syntax.generate`: not to be edited."""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

import re
from collections.abc import Callable
from typing import Any

from lpcl.syntax import build, nodes, quick
from lpcl.syntax.span import Span

_SKIP = '[ \\t\\r\\n]*+(?:(?:\\/\\/[^\\r\\n]*|\\/\\*(?s:.*?)\\*\\/)[ \\t\\r\\n]*+)*+'
skip: Callable[..., re.Match[str]] = re.compile(_SKIP).match
word = re.compile(r'([^\d\W]\w*)' + _SKIP).match
t_Path = re.compile('([^\\d\\W]\\w*(\\.[^\\d\\W]\\w*)*)' + _SKIP, re.MULTILINE).match
t_Word = re.compile('([^\\d\\W]\\w*)' + _SKIP, re.MULTILINE).match
t_StringToken = re.compile('("""(?s:.*?)"""|"(?!"")[^"\\\\\\r\\n]*+(?:\\\\[^\\r\\n][^"\\\\\\r\\n]*+)*+")' + _SKIP, re.MULTILINE).match
t_TypeOperator = re.compile('(\\*|\\/(?![\\/\\*]))' + _SKIP, re.MULTILINE).match
t_BinaryOperator = re.compile('(==|!=|<=|>=|<|>|\\*|\\/(?![\\/\\*])|\\+|-|(?:div|mod|and|or|implies)\\b)' + _SKIP, re.MULTILINE).match
t_Number = re.compile('(\\d[\\d_]*(?:\\.\\d+)?)' + _SKIP, re.MULTILINE).match
t_UnaryOperator = re.compile('(-|not\\b)' + _SKIP, re.MULTILINE).match
t_Unit = re.compile('(%|(?:[kKMGTP]i?B|B)(?:\\/s)?(?!\\w)|(?:ns|us|ms|s|min|h)(?!\\w))' + _SKIP, re.MULTILINE).match
t_FunctionName = re.compile('((?!(?:if|not|and|or|implies|div|mod|when|then|else|in|with|as|by)\\b)[^\\d\\W]\\w*(?:\\.[^\\d\\W]\\w*)*(?=\\s*\\())' + _SKIP, re.MULTILINE).match
t_ReferencePath = re.compile('((?!(?:if|then|else|not|and|or|implies|div|mod|true|false|when|in|with|as|by)\\b)[^\\d\\W]\\w*(?:\\.[^\\d\\W]\\w*)*)' + _SKIP, re.MULTILINE).match
t_ReadMoment = re.compile('((?:load|first\\s+use|each\\s+call)\\b)' + _SKIP, re.MULTILINE).match
t_TextFormKind = re.compile('((?:digits|first\\s+item|second\\s+item)\\b)' + _SKIP, re.MULTILINE).match
t_InvalidPolicy = re.compile('((?:rejects|clamps\\s+above|clamps|ignored)\\b)' + _SKIP, re.MULTILINE).match
t_CreationMoment = re.compile('((?:load|first\\s+use)\\b)' + _SKIP, re.MULTILINE).match
w_0 = frozenset(('machine', 'process', 'device'))
w_1 = frozenset(('bool', 'int', 'count', 'real', 'string', 'bytes', 'time', 'bandwidth', 'share'))
w_2 = frozenset(('time', 'space'))
w_3 = frozenset(('degrades', 'fails'))
w_4 = frozenset(('hangs', 'aborts', 'wrong_results'))
w_5 = frozenset(('maximize', 'minimize'))
w_6 = frozenset(('collapse', 'slow', 'mild'))
w_7 = frozenset(('overcommit', 'serialized', 'hazard', 'assumption', 'underuse'))
w_8 = frozenset(('avoidable', 'unavoidable'))
w_9 = frozenset(('true', 'false'))
w_10 = frozenset(('process', 'thread', 'call'))
w_11 = frozenset(('fork', 'queue', 'submit', 'join', 'forbid'))
w_12 = frozenset(('joins', 'waits'))
w_13 = frozenset(('coupled', 'independent'))
w_14 = frozenset(('blocks', 'spins'))
w_15 = frozenset(('safe', 'unsafe', 'resets'))
w_16 = frozenset(('processes', 'threads'))
w_17 = frozenset(('command', 'file'))

_new = object.__new__
_Span = quick.twin(Span)
_AllDevices = quick.twin(nodes.AllDevices)
_Annotation = quick.twin(nodes.Annotation)
_ApiSource = quick.twin(nodes.ApiSource)
_Application = quick.twin(nodes.Application)
_Argument = quick.twin(nodes.Argument)
_ArgumentSource = quick.twin(nodes.ArgumentSource)
_Assume = quick.twin(nodes.Assume)
_Background = quick.twin(nodes.Background)
_Binding = quick.twin(nodes.Binding)
_Block = quick.twin(nodes.Block)
_Boolean = quick.twin(nodes.Boolean)
_Call = quick.twin(nodes.Call)
_CallerRole = quick.twin(nodes.CallerRole)
_CallersPolicy = quick.twin(nodes.CallersPolicy)
_Calls = quick.twin(nodes.Calls)
_Capacity = quick.twin(nodes.Capacity)
_Check = quick.twin(nodes.Check)
_Command = quick.twin(nodes.Command)
_CommandEntry = quick.twin(nodes.CommandEntry)
_Conditional = quick.twin(nodes.Conditional)
_ConfigSource = quick.twin(nodes.ConfigSource)
_Contract = quick.twin(nodes.Contract)
_Control = quick.twin(nodes.Control)
_Coupling = quick.twin(nodes.Coupling)
_Created = quick.twin(nodes.Created)
_Default = quick.twin(nodes.Default)
_Demand = quick.twin(nodes.Demand)
_EnumType = quick.twin(nodes.EnumType)
_EnvSource = quick.twin(nodes.EnvSource)
_Environment = quick.twin(nodes.Environment)
_Evidence = quick.twin(nodes.Evidence)
_Exceed = quick.twin(nodes.Exceed)
_Existing = quick.twin(nodes.Existing)
_ExpectAssumption = quick.twin(nodes.ExpectAssumption)
_ExpectAvoidable = quick.twin(nodes.ExpectAvoidable)
_ExpectClean = quick.twin(nodes.ExpectClean)
_ExpectDemand = quick.twin(nodes.ExpectDemand)
_ExpectHazard = quick.twin(nodes.ExpectHazard)
_ExpectNo = quick.twin(nodes.ExpectNo)
_ExpectOvercommit = quick.twin(nodes.ExpectOvercommit)
_ExpectResolved = quick.twin(nodes.ExpectResolved)
_ExpectSafe = quick.twin(nodes.ExpectSafe)
_ExpectSerialized = quick.twin(nodes.ExpectSerialized)
_ExpectUnderuse = quick.twin(nodes.ExpectUnderuse)
_ExpectValue = quick.twin(nodes.ExpectValue)
_Fact = quick.twin(nodes.Fact)
_File = quick.twin(nodes.File)
_FileEntry = quick.twin(nodes.FileEntry)
_ForkBehaviour = quick.twin(nodes.ForkBehaviour)
_Hazard = quick.twin(nodes.Hazard)
_Idle = quick.twin(nodes.Idle)
_Import = quick.twin(nodes.Import)
_Indication = quick.twin(nodes.Indication)
_Interface = quick.twin(nodes.Interface)
_Invalid = quick.twin(nodes.Invalid)
_Invocation = quick.twin(nodes.Invocation)
_Let = quick.twin(nodes.Let)
_Library = quick.twin(nodes.Library)
_Limit = quick.twin(nodes.Limit)
_LimitBlock = quick.twin(nodes.LimitBlock)
_LogSource = quick.twin(nodes.LogSource)
_Machine = quick.twin(nodes.Machine)
_MachineUse = quick.twin(nodes.MachineUse)
_Measure = quick.twin(nodes.Measure)
_Name = quick.twin(nodes.Name)
_Needs = quick.twin(nodes.Needs)
_NeedsOfSystem = quick.twin(nodes.NeedsOfSystem)
_Nested = quick.twin(nodes.Nested)
_OnLoad = quick.twin(nodes.OnLoad)
_Operation = quick.twin(nodes.Operation)
_Package = quick.twin(nodes.Package)
_Parameter = quick.twin(nodes.Parameter)
_Parenthesis = quick.twin(nodes.Parenthesis)
_Pin = quick.twin(nodes.Pin)
_Pool = quick.twin(nodes.Pool)
_PypiEntry = quick.twin(nodes.PypiEntry)
_PythonCode = quick.twin(nodes.PythonCode)
_PythonSource = quick.twin(nodes.PythonSource)
_Quantity = quick.twin(nodes.Quantity)
_Quota = quick.twin(nodes.Quota)
_Range = quick.twin(nodes.Range)
_Read = quick.twin(nodes.Read)
_Ref = quick.twin(nodes.Ref)
_Reference = quick.twin(nodes.Reference)
_Resource = quick.twin(nodes.Resource)
_Run = quick.twin(nodes.Run)
_RunsOn = quick.twin(nodes.RunsOn)
_Scales = quick.twin(nodes.Scales)
_Scope = quick.twin(nodes.Scope)
_SetVariable = quick.twin(nodes.SetVariable)
_Setting = quick.twin(nodes.Setting)
_Sharing = quick.twin(nodes.Sharing)
_Signal = quick.twin(nodes.Signal)
_Size = quick.twin(nodes.Size)
_Start = quick.twin(nodes.Start)
_Test = quick.twin(nodes.Test)
_Text = quick.twin(nodes.Text)
_TextForm = quick.twin(nodes.TextForm)
_Timeout = quick.twin(nodes.Timeout)
_Together = quick.twin(nodes.Together)
_Try = quick.twin(nodes.Try)
_TypeFactor = quick.twin(nodes.TypeFactor)
_Unary = quick.twin(nodes.Unary)
_Use = quick.twin(nodes.Use)
_UseItem = quick.twin(nodes.UseItem)
_Uses = quick.twin(nodes.Uses)
_ValueType = quick.twin(nodes.ValueType)
_Workers = quick.twin(nodes.Workers)

EXPECTED: tuple[str, ...] = (
    'rule:Item',
    'word:package',
    'token:Path',
    'word:import',
    'mark:.*',
    'mark:.{',
    'mark:,',
    'mark:}',
    'word:as',
    'word:resource',
    'mark::',
    'word:per',
    'token:ResourceScope',
    'mark:{',
    'word:machine',
    'word:interface',
    'word:extends',
    'word:contract',
    'word:implements',
    'word:application',
    'word:test',
    'token:Word',
    'mark:@',
    'mark:(',
    'mark:)',
    'rule:Type',
    'rule:ResourceClause',
    'rule:Fact',
    'mark:=',
    'word:in',
    'rule:InterfaceMember',
    'rule:ContractMember',
    'rule:ApplicationMember',
    'token:StringToken',
    'rule:TestClause',
    'token:TypeName',
    'word:capacity',
    'word:sharing',
    'token:SharingMode',
    'word:exceed',
    'token:ExceedEffect',
    'mark:..',
    'word:control',
    'word:pool',
    'word:operation',
    'word:library',
    'word:uses',
    'word:private',
    'word:on',
    'word:load',
    'word:demand',
    'word:when',
    'word:let',
    'word:assume',
    'word:else',
    'word:hazard',
    'token:HazardEffect',
    'word:signal',
    'word:evidence',
    'word:for',
    'word:scales',
    'word:amdahl',
    'word:use',
    'word:env',
    'word:limit',
    'word:run',
    'word:command',
    'word:measure',
    'word:time',
    'token:MeasureGoal',
    'word:metric',
    'word:background',
    'word:check',
    'rule:Expectation',
    'token:TypeOperator',
    'rule:Operand',
    'token:BinaryOperator',
    'rule:ControlClause',
    'rule:PoolClause',
    'rule:OperationClause',
    'rule:LibraryEntry',
    'rule:LoadClause',
    'rule:Device',
    'rule:SignalSource',
    'word:indicates',
    'rule:EvidenceClause',
    'word:expect',
    'word:possible',
    'word:overcommit',
    'token:Number',
    'token:Grade',
    'word:by',
    'word:serialized',
    'word:assumption',
    'word:underuse',
    'word:clean',
    'word:no',
    'token:FindingKind',
    'word:of',
    'word:safe',
    'word:with',
    'token:Avoidability',
    'word:value',
    'token:UnaryOperator',
    'word:if',
    'word:then',
    'token:Unit',
    'token:BooleanToken',
    'token:FunctionName',
    'mark:.',
    'token:ReferencePath',
    'word:api',
    'word:argument',
    'word:config',
    'word:default',
    'word:read',
    'word:at',
    'token:ReadMoment',
    'word:text',
    'token:TextFormKind',
    'word:invalid',
    'token:InvalidPolicy',
    'word:scope',
    'token:ScopeReach',
    'word:size',
    'word:existing',
    'word:callers',
    'token:CallersPolicyName',
    'word:caller',
    'token:CallerRoleName',
    'word:threads',
    'token:CouplingKind',
    'word:created',
    'token:CreationMoment',
    'word:idle',
    'token:IdleKind',
    'word:fork',
    'token:ForkEffect',
    'word:nested',
    'word:runs',
    'word:calls',
    'word:block',
    'word:workers',
    'token:WorkerKind',
    'word:pypi',
    'word:file',
    'word:set',
    'word:pin',
    'word:cpus',
    'word:all',
    'word:log',
    'word:python',
    'word:quota',
    'word:needs',
    'token:NeedKind',
    'word:timeout',
    'word:try',
    'rule:Statement',
    'rule:WorkerClause',
    'rule:TryClause',
    'word:together',
    'word:start',
)

TOKENS: dict[str, tuple[str, ...]] = {
    'ResourceScope': ('machine', 'process', 'device'),
    'TypeName': ('bool', 'int', 'count', 'real', 'string', 'bytes', 'time', 'bandwidth', 'share'),
    'SharingMode': ('time', 'space'),
    'ExceedEffect': ('degrades', 'fails'),
    'HazardEffect': ('hangs', 'aborts', 'wrong_results'),
    'MeasureGoal': ('maximize', 'minimize'),
    'TypeOperator': ('*', '/'),
    'BinaryOperator': ('==', '!=', '<=', '>=', '<', '>', '*', '/', '+', '-', 'div', 'mod', 'and', 'or', 'implies'),
    'Grade': ('collapse', 'slow', 'mild'),
    'FindingKind': ('overcommit', 'serialized', 'hazard', 'assumption', 'underuse'),
    'Avoidability': ('avoidable', 'unavoidable'),
    'UnaryOperator': ('-', 'not'),
    'Unit': ('%', 'kB', 'kB/s', 'kiB', 'kiB/s', 'KB', 'KB/s', 'KiB', 'KiB/s', 'MB', 'MB/s', 'MiB', 'MiB/s', 'GB', 'GB/s', 'GiB', 'GiB/s', 'TB', 'TB/s', 'TiB', 'TiB/s', 'PB', 'PB/s', 'PiB', 'PiB/s', 'B', 'B/s', 'ns', 'us', 'ms', 's', 'min', 'h'),
    'BooleanToken': ('true', 'false'),
    'ReadMoment': ('load', 'first use', 'each call'),
    'TextFormKind': ('digits', 'first item', 'second item'),
    'InvalidPolicy': ('rejects', 'clamps above', 'clamps', 'ignored'),
    'ScopeReach': ('process', 'thread', 'call'),
    'CallersPolicyName': ('fork', 'queue', 'submit', 'join', 'forbid'),
    'CallerRoleName': ('joins', 'waits'),
    'CouplingKind': ('coupled', 'independent'),
    'CreationMoment': ('load', 'first use'),
    'IdleKind': ('blocks', 'spins'),
    'ForkEffect': ('safe', 'unsafe', 'resets'),
    'WorkerKind': ('processes', 'threads'),
    'NeedKind': ('command', 'file'),
}

ELEMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    'Item': {'package': ('Package',), 'import': ('Import',), 'resource': ('Resource',), 'machine': ('Machine',), 'interface': ('Interface',), 'contract': ('Contract',), 'application': ('Application',), 'test': ('Test',)},
    'ResourceClause': {'capacity': ('Capacity',), 'sharing': ('Sharing',), 'exceed': ('Exceed',)},
    'Fact': {'*': ('Fact',)},
    'InterfaceMember': {'control': ('Control',), 'pool': ('Pool',), 'operation': ('Operation',)},
    'ContractMember': {'library': ('Library',), 'control': ('Control',), 'pool': ('Pool',), 'operation': ('Operation',), 'uses': ('Uses',), 'on': ('OnLoad',), 'demand': ('Demand',), 'let': ('Let',), 'assume': ('Assume',), 'hazard': ('Hazard',), 'signal': ('Signal',), 'evidence': ('Evidence',), 'scales': ('Scales',)},
    'ApplicationMember': {'machine': ('MachineUse',), 'use': ('Use',), 'env': ('Environment',), 'control': ('Control',), 'let': ('Let',), 'limit': ('Limit',), 'run': ('Run',), 'command': ('Command',), 'measure': ('Measure',), 'maximize': ('Measure',), 'minimize': ('Measure',), 'background': ('Background',)},
    'TestClause': {'machine': ('MachineUse',), 'check': ('Check',), 'env': ('Environment',), 'expect': ('ExpectOvercommit', 'ExpectSerialized', 'ExpectHazard', 'ExpectAssumption', 'ExpectUnderuse', 'ExpectClean', 'ExpectNo', 'ExpectSafe', 'ExpectDemand', 'ExpectAvoidable', 'ExpectResolved')},
    'ControlClause': {'env': ('EnvSource',), 'api': ('ApiSource',), 'argument': ('ArgumentSource',), 'config': ('ConfigSource',), 'default': ('Default',), 'read': ('Read',), 'text': ('TextForm',), 'invalid': ('Invalid',), 'scope': ('Scope',)},
    'PoolClause': {'size': ('Size',), 'existing': ('Existing',), 'callers': ('CallersPolicy',), 'caller': ('CallerRole',), 'threads': ('Coupling',), 'created': ('Created',), 'idle': ('Idle',), 'fork': ('ForkBehaviour',), 'nested': ('Nested',)},
    'OperationClause': {'runs': ('RunsOn',), 'calls': ('Calls',), 'workers': ('Workers',), 'demand': ('Demand',), 'let': ('Let',), 'assume': ('Assume',), 'hazard': ('Hazard',), 'limit': ('Limit',), 'scales': ('Scales',)},
    'LibraryEntry': {'pypi': ('PypiEntry',), 'file': ('FileEntry',), 'command': ('CommandEntry',)},
    'LoadClause': {'set': ('SetVariable',), 'limit': ('Limit',), 'pin': ('Pin',), 'demand': ('Demand',)},
    'EvidenceClause': {'set': ('SetVariable',), 'pin': ('Pin',), 'quota': ('Quota',), 'limit': ('Limit',), 'let': ('Let',), 'needs': ('Needs', 'NeedsOfSystem'), 'timeout': ('Timeout',), 'run': ('Run',), 'try': ('Try',), 'python': ('PythonCode',), 'expect': ('ExpectValue',)},
    'Statement': {'together': ('Together',), 'limit': ('LimitBlock',), '{': ('Block',), '*': ('Invocation',)},
    'WorkerClause': {'set': ('SetVariable',), 'limit': ('Limit',), 'start': ('Start',), 'pin': ('Pin',), 'caller': ('CallerRole',), 'demand': ('Demand',)},
    'TryClause': {'set': ('SetVariable',), 'pin': ('Pin',), 'quota': ('Quota',), 'limit': ('Limit',), 'let': ('Let',), 'expect': ('ExpectValue',)},
}

BLOCKS: dict[str, tuple[str, str, str | None, bool]] = {
    'Resource': ('clauses', 'ResourceClause', None, False),
    'Machine': ('facts', 'Fact', None, False),
    'Interface': ('members', 'InterfaceMember', None, False),
    'Contract': ('members', 'ContractMember', None, False),
    'Application': ('members', 'ApplicationMember', None, False),
    'Test': ('clauses', 'TestClause', None, False),
    'Control': ('clauses', 'ControlClause', None, True),
    'Pool': ('clauses', 'PoolClause', None, True),
    'Operation': ('clauses', 'OperationClause', None, True),
    'Library': ('entries', 'LibraryEntry', None, False),
    'OnLoad': ('clauses', 'LoadClause', None, False),
    'Evidence': ('clauses', 'EvidenceClause', None, False),
    'MachineUse': ('facts', 'Fact', None, True),
    'Run': ('block', 'Statement', 'Block', False),
    'Workers': ('clauses', 'WorkerClause', None, True),
    'Try': ('clauses', 'TryClause', None, False),
    'Together': ('members', 'Statement', None, False),
    'LimitBlock': ('block', 'Statement', 'Block', False),
    'Block': ('statements', 'Statement', None, False),
    'Invocation': ('block', 'Statement', 'Block', True),
}

MARKS: tuple[str, ...] = (
    '!=',
    '.*',
    '..',
    '.{',
    '<=',
    '==',
    '>=',
    '%',
    '(',
    ')',
    '*',
    '+',
    ',',
    '-',
    '.',
    '/',
    ':',
    '<',
    '=',
    '>',
    '@',
    '{',
    '}',
)


class Parser:
    """Functions over one text, by rule; `heads` stop before a rule's block."""
    
    __slots__ = ('rules', 'heads', 'state', 'reset', 'load')
    
    def __init__(self, rules, heads, state, reset, load) -> None:
        self.rules: dict[str, Callable[[int], Any]] = rules
        self.heads: dict[str, Callable[[int], dict[str, Any] | None]] = heads
        self.state: Callable[[], tuple[int, int, int, list[int], tuple[str, int, int] | None]] = state
        self.reset: Callable[..., None] = reset
        self.load: Callable[[str, Callable[[int], str | None]], None] = load


def parser(text: str, doc_at: Callable[[int], str | None]) -> Parser:
    """The functions over `text`, which is to end in a newline and a NUL."""
    pos = end = depth = 0
    far = -1
    exp = []
    special = None
    quantities = {}
    heights = build.Heights()
    Block_failed = set()
    Call_failed = set()
    Conditional_failed = set()
    Parenthesis_failed = set()
    Together_failed = set()
    Unary_failed = set()
    
    def File(p):
        nonlocal pos, end, far, exp
        s = p
        e = p
        a_items = ()
        while True:
            v = Item(p)
            if v is None:
                a_items = ()
                break
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                v = Item(p)
            a_items = tuple(items1)
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_File)
        node.items = a_items
        node.span = span
        node.doc = None
        node.__class__ = nodes.File
        return node
    
    def Item(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [0]
                elif q == far:
                    exp.append(0)
                return None
            option = Item_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [0]
                elif q == far:
                    exp.append(0)
                return None
            return option(p)
        if m is not None:
            option = Item_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [0]
        elif p == far:
            exp.append(0)
        return None
    
    def Package(p):
        nonlocal pos, end, far, exp
        s = p
        a_path = None
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'package':
            if p > far:
                far = p
                exp = [1]
            elif p == far:
                exp.append(1)
            return None
        e = m.end(1)
        p = m.end()
        m = t_Path(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [2]
            elif p == far:
                exp.append(2)
            return None
        a_path = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Package)
        node.path = a_path
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Package
        return node
    
    def Import(p):
        nonlocal pos, end, far, exp
        s = p
        a_path = None
        a_star = False
        a_names = ()
        a_alias = None
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'import':
            if p > far:
                far = p
                exp = [3]
            elif p == far:
                exp.append(3)
            return None
        e = m.end(1)
        p = m.end()
        m = t_Path(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [2]
            elif p == far:
                exp.append(2)
            return None
        a_path = m[1]
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            a_star_3 = False
            a_names_4 = ()
            done5 = False
            while True:
                p6 = p1
                a_star_8 = False
                if not text.startswith('.*', p6):
                    if p6 > far:
                        far = p6
                        exp = [4]
                    elif p6 == far:
                        exp.append(4)
                    break
                e7 = p6 + 2
                p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
                a_star_8 = True
                a_star_3 = a_star_8
                p1 = p6
                e2 = e7
                done5 = True
                break
            if not done5:
                while True:
                    p9 = p1
                    a_names_11 = ()
                    if not text.startswith('.{', p9):
                        if p9 > far:
                            far = p9
                            exp = [5]
                        elif p9 == far:
                            exp.append(5)
                        break
                    e10 = p9 + 2
                    p9 = e10 if text[e10] not in ' \n\t\r/' else skip(text, e10).end()
                    v = Name(p9)
                    if v is None:
                        break
                    p9 = pos
                    e10 = end
                    items12 = [v]
                    while True:
                        p13 = p9
                        if text[p13] != ',':
                            if p13 > far:
                                far = p13
                                exp = [6]
                            elif p13 == far:
                                exp.append(6)
                            break
                        e14 = p13 + 1
                        p13 = e14 if text[e14] not in ' \n\t\r/' else skip(text, e14).end()
                        v = Name(p13)
                        if v is None:
                            break
                        items12.append(v)
                        p9 = pos
                        e10 = end
                    a_names_11 = tuple(items12)
                    if text[p9] != '}':
                        if p9 > far:
                            far = p9
                            exp = [7]
                        elif p9 == far:
                            exp.append(7)
                        break
                    e10 = p9 + 1
                    p9 = e10 if text[e10] not in ' \n\t\r/' else skip(text, e10).end()
                    a_names_4 = a_names_11
                    p1 = p9
                    e2 = e10
                    done5 = True
                    break
            if not done5:
                break
            a_star = a_star_3
            a_names = a_names_4
            p = p1
            e = e2
            break
        while True:
            p15 = p
            m = word(text, p15) if text[p15] == 'a' else None
            if m is None or m[1] != 'as':
                if p15 > far:
                    far = p15
                    exp = [8]
                elif p15 == far:
                    exp.append(8)
                break
            e16 = m.end(1)
            p15 = m.end()
            a_alias_17 = Name(p15)
            if a_alias_17 is None:
                break
            p15 = pos
            e16 = end
            a_alias = a_alias_17
            p = p15
            e = e16
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Import)
        node.path = a_path
        node.star = a_star
        node.names = a_names
        node.alias = a_alias
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Import
        return node
    
    def Resource(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_type = None
        a_per = None
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'resource':
            if p > far:
                far = p
                exp = [9]
            elif p == far:
                exp.append(9)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'p' else None
            if m is None or m[1] != 'per':
                if p2 > far:
                    far = p2
                    exp = [11]
                elif p2 == far:
                    exp.append(11)
                break
            e3 = m.end(1)
            p2 = m.end()
            m = word(text, p2) if text[p2] > '@' else None
            if m is None or m[1] not in w_0:
                if p2 > far:
                    far = p2
                    exp = [12]
                elif p2 == far:
                    exp.append(12)
                break
            a_per_4 = m[1]
            e3 = m.end(1)
            p2 = m.end()
            a_per = a_per_4
            p = p2
            e = e3
            break
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = ResourceClause(p)
            items5 = []
            while v is not None:
                items5.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = ResourceClause(p)
            a_clauses = tuple(items5)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Resource)
        node.annotations = a_annotations
        node.name = a_name
        node.type = a_type
        node.per = a_per
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Resource
        return node
    
    def Machine(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_facts = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'm' else None
        if m is None or m[1] != 'machine':
            if p > far:
                far = p
                exp = [14]
            elif p == far:
                exp.append(14)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = Fact(p)
            items2 = []
            while v is not None:
                items2.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = Fact(p)
            a_facts = tuple(items2)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Machine)
        node.annotations = a_annotations
        node.name = a_name
        node.facts = a_facts
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Machine
        return node
    
    def Interface(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_base = None
        a_members = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'interface':
            if p > far:
                far = p
                exp = [15]
            elif p == far:
                exp.append(15)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'e' else None
            if m is None or m[1] != 'extends':
                if p2 > far:
                    far = p2
                    exp = [16]
                elif p2 == far:
                    exp.append(16)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_base_4 = Ref(p2)
            if a_base_4 is None:
                break
            p2 = pos
            e3 = end
            a_base = a_base_4
            p = p2
            e = e3
            break
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = InterfaceMember(p)
            items5 = []
            while v is not None:
                items5.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = InterfaceMember(p)
            a_members = tuple(items5)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Interface)
        node.annotations = a_annotations
        node.name = a_name
        node.base = a_base
        node.members = a_members
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Interface
        return node
    
    def Contract(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_base = None
        a_interfaces = ()
        a_members = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'contract':
            if p > far:
                far = p
                exp = [17]
            elif p == far:
                exp.append(17)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'e' else None
            if m is None or m[1] != 'extends':
                if p2 > far:
                    far = p2
                    exp = [16]
                elif p2 == far:
                    exp.append(16)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_base_4 = Ref(p2)
            if a_base_4 is None:
                break
            p2 = pos
            e3 = end
            a_base = a_base_4
            p = p2
            e = e3
            break
        while True:
            p5 = p
            a_interfaces_7 = ()
            m = word(text, p5) if text[p5] == 'i' else None
            if m is None or m[1] != 'implements':
                if p5 > far:
                    far = p5
                    exp = [18]
                elif p5 == far:
                    exp.append(18)
                break
            e6 = m.end(1)
            p5 = m.end()
            v = Ref(p5)
            if v is None:
                break
            p5 = pos
            e6 = end
            items8 = [v]
            while True:
                p9 = p5
                if text[p9] != ',':
                    if p9 > far:
                        far = p9
                        exp = [6]
                    elif p9 == far:
                        exp.append(6)
                    break
                e10 = p9 + 1
                p9 = e10 if text[e10] not in ' \n\t\r/' else skip(text, e10).end()
                v = Ref(p9)
                if v is None:
                    break
                items8.append(v)
                p5 = pos
                e6 = end
            a_interfaces_7 = tuple(items8)
            a_interfaces = a_interfaces_7
            p = p5
            e = e6
            break
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = ContractMember(p)
            items11 = []
            while v is not None:
                items11.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = ContractMember(p)
            a_members = tuple(items11)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Contract)
        node.annotations = a_annotations
        node.name = a_name
        node.base = a_base
        node.interfaces = a_interfaces
        node.members = a_members
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Contract
        return node
    
    def Application(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_members = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'application':
            if p > far:
                far = p
                exp = [19]
            elif p == far:
                exp.append(19)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = ApplicationMember(p)
            items2 = []
            while v is not None:
                items2.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = ApplicationMember(p)
            a_members = tuple(items2)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Application)
        node.annotations = a_annotations
        node.name = a_name
        node.members = a_members
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Application
        return node
    
    def Test(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_title = None
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'test':
            if p > far:
                far = p
                exp = [20]
            elif p == far:
                exp.append(20)
            return None
        e = m.end(1)
        p = m.end()
        a_title = Text(p)
        if a_title is None:
            return None
        p = pos
        e = end
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = TestClause(p)
            items2 = []
            while v is not None:
                items2.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = TestClause(p)
            a_clauses = tuple(items2)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Test)
        node.annotations = a_annotations
        node.title = a_title
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Test
        return node
    
    def Name(p):
        nonlocal pos, end, far, exp
        s = p
        a_text = None
        m = t_Word(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [21]
            elif p == far:
                exp.append(21)
            return None
        a_text = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Name)
        node.text = a_text
        node.span = span
        node.doc = None
        node.__class__ = nodes.Name
        return node
    
    def Annotation(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_args = ()
        if text[p] != '@':
            if p > far:
                far = p
                exp = [22]
            elif p == far:
                exp.append(22)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_args_3 = ()
            if text[p1] != '(':
                if p1 > far:
                    far = p1
                    exp = [23]
                elif p1 == far:
                    exp.append(23)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            if text[p1] != ')':
                v = Text(p1)
                if v is not None:
                    p1 = pos
                    e2 = end
                    items4 = [v]
                    while True:
                        p5 = p1
                        if text[p5] != ',':
                            if p5 > far:
                                far = p5
                                exp = [6]
                            elif p5 == far:
                                exp.append(6)
                            break
                        e6 = p5 + 1
                        p5 = e6 if text[e6] not in ' \n\t\r/' else skip(text, e6).end()
                        v = Text(p5)
                        if v is None:
                            break
                        items4.append(v)
                        p1 = pos
                        e2 = end
                    a_args_3 = tuple(items4)
            if text[p1] != ')':
                if p1 > far:
                    far = p1
                    exp = [24]
                elif p1 == far:
                    exp.append(24)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_args = a_args_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Annotation)
        node.name = a_name
        node.args = a_args
        node.span = span
        node.doc = None
        node.__class__ = nodes.Annotation
        return node
    
    def Type(p):
        nonlocal far, exp
        c = text[p]
        if c == '{':
            node = EnumType(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [25]
            elif p == far:
                exp.append(25)
            return None
        if c in 'bcirst':
            node = ValueType(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [25]
            elif p == far:
                exp.append(25)
            return None
        if p > far:
            far = p
            exp = [25]
        elif p == far:
            exp.append(25)
        return None
    
    def ResourceClause(p):
        nonlocal far, exp
        c = text[p]
        if c == 'c':
            node = Capacity(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [26]
            elif p == far:
                exp.append(26)
            return None
        if c == 'e':
            node = Exceed(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [26]
            elif p == far:
                exp.append(26)
            return None
        if c == 's':
            node = Sharing(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [26]
            elif p == far:
                exp.append(26)
            return None
        if p > far:
            far = p
            exp = [26]
        elif p == far:
            exp.append(26)
        return None
    
    def Fact(p):
        nonlocal pos, end, far, exp
        s = p
        a_path = None
        a_value = None
        a_range = None
        m = t_Path(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [27]
            elif p == far:
                exp.append(27)
            return None
        a_path = m[1]
        e = m.end(1)
        p = m.end()
        done1 = False
        while True:
            p2 = p
            if text[p2] != '=':
                if p2 > far:
                    far = p2
                    exp = [28]
                elif p2 == far:
                    exp.append(28)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_value_4 = Expression(p2)
            if a_value_4 is None:
                break
            p2 = pos
            e3 = end
            a_value = a_value_4
            p = p2
            e = e3
            done1 = True
            break
        if not done1:
            while True:
                p5 = p
                m = word(text, p5) if text[p5] == 'i' else None
                if m is None or m[1] != 'in':
                    if p5 > far:
                        far = p5
                        exp = [29]
                    elif p5 == far:
                        exp.append(29)
                    break
                e6 = m.end(1)
                p5 = m.end()
                a_range_7 = Range(p5)
                if a_range_7 is None:
                    break
                p5 = pos
                e6 = end
                a_range = a_range_7
                p = p5
                e = e6
                done1 = True
                break
        if not done1:
            return None
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Fact)
        node.path = a_path
        node.value = a_value
        node.range = a_range
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Fact
        return node
    
    def Ref(p):
        nonlocal pos, end, far, exp
        s = p
        a_path = None
        m = t_Path(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [2]
            elif p == far:
                exp.append(2)
            return None
        a_path = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Ref)
        node.path = a_path
        node.span = span
        node.doc = None
        node.__class__ = nodes.Ref
        return node
    
    def InterfaceMember(p):
        nonlocal far, exp
        c = text[p]
        if c == '@':
            node = Control(p)
            if node is not None:
                return node
            node = Pool(p)
            if node is not None:
                return node
            node = Operation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [30]
            elif p == far:
                exp.append(30)
            return None
        if c == 'c':
            node = Control(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [30]
            elif p == far:
                exp.append(30)
            return None
        if c == 'o':
            node = Operation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [30]
            elif p == far:
                exp.append(30)
            return None
        if c == 'p':
            node = Pool(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [30]
            elif p == far:
                exp.append(30)
            return None
        if p > far:
            far = p
            exp = [30]
        elif p == far:
            exp.append(30)
        return None
    
    def ContractMember(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [31]
                elif q == far:
                    exp.append(31)
                return None
            option = ContractMember_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [31]
                elif q == far:
                    exp.append(31)
                return None
            return option(p)
        if m is not None:
            option = ContractMember_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [31]
        elif p == far:
            exp.append(31)
        return None
    
    def ApplicationMember(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [32]
                elif q == far:
                    exp.append(32)
                return None
            option = ApplicationMember_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [32]
                elif q == far:
                    exp.append(32)
                return None
            return option(p)
        if m is not None:
            option = ApplicationMember_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [32]
        elif p == far:
            exp.append(32)
        return None
    
    def Text(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = t_StringToken(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [33]
            elif p == far:
                exp.append(33)
            return None
        a_value = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Text)
        node.value = build.text(a_value)
        node.span = span
        node.doc = None
        node.__class__ = nodes.Text
        return node
    
    def TestClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is not None:
            option = TestClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [34]
        elif p == far:
            exp.append(34)
        return None
    
    def EnumType(p):
        nonlocal pos, end, far, exp
        s = p
        a_members = ()
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        v = Name(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = Name(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_members = tuple(items1)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_EnumType)
        node.members = a_members
        node.span = span
        node.doc = None
        node.__class__ = nodes.EnumType
        return node
    
    def ValueType(p):
        nonlocal pos, end, far, exp
        s = p
        a_first = None
        a_rest = ()
        a_range = None
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_1:
            if p > far:
                far = p
                exp = [35]
            elif p == far:
                exp.append(35)
            return None
        a_first = m[1]
        e = m.end(1)
        p = m.end()
        while True:
            v = TypeFactor(p)
            if v is None:
                a_rest = ()
                break
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                v = TypeFactor(p)
            a_rest = tuple(items1)
            break
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'i' else None
            if m is None or m[1] != 'in':
                if p2 > far:
                    far = p2
                    exp = [29]
                elif p2 == far:
                    exp.append(29)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_range_4 = Range(p2)
            if a_range_4 is None:
                break
            p2 = pos
            e3 = end
            a_range = a_range_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ValueType)
        node.first = a_first
        node.rest = a_rest
        node.range = a_range
        node.span = span
        node.doc = None
        node.__class__ = nodes.ValueType
        return node
    
    def Capacity(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'capacity':
            if p > far:
                far = p
                exp = [36]
            elif p == far:
                exp.append(36)
            return None
        e = m.end(1)
        p = m.end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Capacity)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Capacity
        return node
    
    def Sharing(p):
        nonlocal pos, end, far, exp
        s = p
        a_mode = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'sharing':
            if p > far:
                far = p
                exp = [37]
            elif p == far:
                exp.append(37)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_2:
            if p > far:
                far = p
                exp = [38]
            elif p == far:
                exp.append(38)
            return None
        a_mode = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Sharing)
        node.mode = a_mode
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Sharing
        return node
    
    def Exceed(p):
        nonlocal pos, end, far, exp
        s = p
        a_effect = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'exceed':
            if p > far:
                far = p
                exp = [39]
            elif p == far:
                exp.append(39)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_3:
            if p > far:
                far = p
                exp = [40]
            elif p == far:
                exp.append(40)
            return None
        a_effect = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Exceed)
        node.effect = a_effect
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Exceed
        return node
    
    def Expression(p):
        nonlocal pos, end, far, exp, special
        s = p
        a_first = None
        a_rest = ()
        a_first = Operand(p)
        if a_first is None:
            return None
        p = pos
        e = end
        while True:
            v = Tail(p)
            if v is None:
                a_rest = ()
                break
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if len(items1) > build.MAX_OPERATORS:
                    special = ('row', s, e)
                    return None
                v = Tail(p)
            a_rest = items1
            break
        pos = p
        end = e
        if not a_rest:
            return a_first
        if len(a_rest) == 1:
            op, at, right = a_rest[0]
            node = quick.binary(op, a_first, right, at)
        else:
            chained = build.chained(a_rest)
            if chained is not None:
                special = ('chained', a_rest[chained][1], a_rest[chained][1] + len(a_rest[chained][0]))
                return None
            if len(a_rest) >= build.MAX_HEIGHT and build.too_long(a_rest):
                special = ('row', s, e)
                return None
            node = build.fold(a_first, a_rest)
        if len(a_rest) * (depth + 1) > 20 and heights.of(node) > build.MAX_HEIGHT:
            special = ('height', s, e)
            return None
        return node
    
    def Range(p):
        nonlocal pos, end, far, exp
        s = p
        a_low = None
        a_high = None
        a_low = Expression(p)
        if a_low is None:
            return None
        p = pos
        e = end
        if not text.startswith('..', p):
            if p > far:
                far = p
                exp = [41]
            elif p == far:
                exp.append(41)
            return None
        e = p + 2
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_high = Expression(p)
        if a_high is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Range)
        node.low = a_low
        node.high = a_high
        node.span = span
        node.doc = None
        node.__class__ = nodes.Range
        return node
    
    def Control(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_type = None
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'control':
            if p > far:
                far = p
                exp = [42]
            elif p == far:
                exp.append(42)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_clauses_4 = ()
            if text[p2] != '{':
                if p2 > far:
                    far = p2
                    exp = [13]
                elif p2 == far:
                    exp.append(13)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            if text[p2] != '}':
                v = ControlClause(p2)
                items5 = []
                while v is not None:
                    items5.append(v)
                    p2 = pos
                    e3 = end
                    if not (text[p2] != '}'): break
                    v = ControlClause(p2)
                a_clauses_4 = tuple(items5)
            if text[p2] != '}':
                if p2 > far:
                    far = p2
                    exp = [7]
                elif p2 == far:
                    exp.append(7)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_clauses = a_clauses_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Control)
        node.annotations = a_annotations
        node.name = a_name
        node.type = a_type
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Control
        return node
    
    def Pool(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'pool':
            if p > far:
                far = p
                exp = [43]
            elif p == far:
                exp.append(43)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_clauses_4 = ()
            if text[p2] != '{':
                if p2 > far:
                    far = p2
                    exp = [13]
                elif p2 == far:
                    exp.append(13)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            if text[p2] != '}':
                v = PoolClause(p2)
                items5 = []
                while v is not None:
                    items5.append(v)
                    p2 = pos
                    e3 = end
                    if not (text[p2] != '}'): break
                    v = PoolClause(p2)
                a_clauses_4 = tuple(items5)
            if text[p2] != '}':
                if p2 > far:
                    far = p2
                    exp = [7]
                elif p2 == far:
                    exp.append(7)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_clauses = a_clauses_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Pool)
        node.annotations = a_annotations
        node.name = a_name
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Pool
        return node
    
    def Operation(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_parameters = ()
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'operation':
            if p > far:
                far = p
                exp = [44]
            elif p == far:
                exp.append(44)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_parameters_4 = ()
            if text[p2] != '(':
                if p2 > far:
                    far = p2
                    exp = [23]
                elif p2 == far:
                    exp.append(23)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            if text[p2] != ')':
                v = Parameter(p2)
                if v is not None:
                    p2 = pos
                    e3 = end
                    items5 = [v]
                    while True:
                        p6 = p2
                        if text[p6] != ',':
                            if p6 > far:
                                far = p6
                                exp = [6]
                            elif p6 == far:
                                exp.append(6)
                            break
                        e7 = p6 + 1
                        p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
                        v = Parameter(p6)
                        if v is None:
                            break
                        items5.append(v)
                        p2 = pos
                        e3 = end
                    a_parameters_4 = tuple(items5)
            if text[p2] != ')':
                if p2 > far:
                    far = p2
                    exp = [24]
                elif p2 == far:
                    exp.append(24)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_parameters = a_parameters_4
            p = p2
            e = e3
            break
        while True:
            p8 = p
            a_clauses_10 = ()
            if text[p8] != '{':
                if p8 > far:
                    far = p8
                    exp = [13]
                elif p8 == far:
                    exp.append(13)
                break
            e9 = p8 + 1
            p8 = e9 if text[e9] not in ' \n\t\r/' else skip(text, e9).end()
            if text[p8] != '}':
                v = OperationClause(p8)
                items11 = []
                while v is not None:
                    items11.append(v)
                    p8 = pos
                    e9 = end
                    if not (text[p8] != '}'): break
                    v = OperationClause(p8)
                a_clauses_10 = tuple(items11)
            if text[p8] != '}':
                if p8 > far:
                    far = p8
                    exp = [7]
                elif p8 == far:
                    exp.append(7)
                break
            e9 = p8 + 1
            p8 = e9 if text[e9] not in ' \n\t\r/' else skip(text, e9).end()
            a_clauses = a_clauses_10
            p = p8
            e = e9
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Operation)
        node.annotations = a_annotations
        node.name = a_name
        node.parameters = a_parameters
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Operation
        return node
    
    def Library(p):
        nonlocal pos, end, far, exp
        s = p
        a_entries = ()
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'library':
            if p > far:
                far = p
                exp = [45]
            elif p == far:
                exp.append(45)
            return None
        e = m.end(1)
        p = m.end()
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = LibraryEntry(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = LibraryEntry(p)
            a_entries = tuple(items1)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Library)
        node.entries = a_entries
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Library
        return node
    
    def Uses(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_interface = None
        a_provider = None
        a_private = False
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'u' else None
        if m is None or m[1] != 'uses':
            if p > far:
                far = p
                exp = [46]
            elif p == far:
                exp.append(46)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            if text[p2] != ':':
                if p2 > far:
                    far = p2
                    exp = [10]
                elif p2 == far:
                    exp.append(10)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_interface_4 = Ref(p2)
            if a_interface_4 is None:
                break
            p2 = pos
            e3 = end
            a_interface = a_interface_4
            p = p2
            e = e3
            break
        while True:
            p5 = p
            if text[p5] != '=':
                if p5 > far:
                    far = p5
                    exp = [28]
                elif p5 == far:
                    exp.append(28)
                break
            e6 = p5 + 1
            p5 = e6 if text[e6] not in ' \n\t\r/' else skip(text, e6).end()
            a_provider_7 = Ref(p5)
            if a_provider_7 is None:
                break
            p5 = pos
            e6 = end
            a_provider = a_provider_7
            p = p5
            e = e6
            break
        while True:
            p8 = p
            m = word(text, p8) if text[p8] == 'p' else None
            if m is None or m[1] != 'private':
                if p8 > far:
                    far = p8
                    exp = [47]
                elif p8 == far:
                    exp.append(47)
                break
            e9 = m.end(1)
            p8 = m.end()
            a_private = True
            p = p8
            e = e9
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Uses)
        node.annotations = a_annotations
        node.name = a_name
        node.interface = a_interface
        node.provider = a_provider
        node.private = a_private
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Uses
        return node
    
    def OnLoad(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'on':
            if p > far:
                far = p
                exp = [48]
            elif p == far:
                exp.append(48)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'load':
            if p > far:
                far = p
                exp = [49]
            elif p == far:
                exp.append(49)
            return None
        e = m.end(1)
        p = m.end()
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = LoadClause(p)
            items2 = []
            while v is not None:
                items2.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = LoadClause(p)
            a_clauses = tuple(items2)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_OnLoad)
        node.annotations = a_annotations
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.OnLoad
        return node
    
    def Demand(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_resource = None
        a_device = None
        a_amount = None
        a_range = None
        a_guard = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'd' else None
        if m is None or m[1] != 'demand':
            if p > far:
                far = p
                exp = [50]
            elif p == far:
                exp.append(50)
            return None
        e = m.end(1)
        p = m.end()
        a_resource = Ref(p)
        if a_resource is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'o' else None
            if m is None or m[1] != 'on':
                if p2 > far:
                    far = p2
                    exp = [48]
                elif p2 == far:
                    exp.append(48)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_device_4 = Device(p2)
            if a_device_4 is None:
                break
            p2 = pos
            e3 = end
            a_device = a_device_4
            p = p2
            e = e3
            break
        done5 = False
        while True:
            p6 = p
            if text[p6] != '=':
                if p6 > far:
                    far = p6
                    exp = [28]
                elif p6 == far:
                    exp.append(28)
                break
            e7 = p6 + 1
            p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
            a_amount_8 = Expression(p6)
            if a_amount_8 is None:
                break
            p6 = pos
            e7 = end
            a_amount = a_amount_8
            p = p6
            e = e7
            done5 = True
            break
        if not done5:
            while True:
                p9 = p
                m = word(text, p9) if text[p9] == 'i' else None
                if m is None or m[1] != 'in':
                    if p9 > far:
                        far = p9
                        exp = [29]
                    elif p9 == far:
                        exp.append(29)
                    break
                e10 = m.end(1)
                p9 = m.end()
                a_range_11 = Range(p9)
                if a_range_11 is None:
                    break
                p9 = pos
                e10 = end
                a_range = a_range_11
                p = p9
                e = e10
                done5 = True
                break
        if not done5:
            return None
        while True:
            p12 = p
            m = word(text, p12) if text[p12] == 'w' else None
            if m is None or m[1] != 'when':
                if p12 > far:
                    far = p12
                    exp = [51]
                elif p12 == far:
                    exp.append(51)
                break
            e13 = m.end(1)
            p12 = m.end()
            a_guard_14 = Expression(p12)
            if a_guard_14 is None:
                break
            p12 = pos
            e13 = end
            a_guard = a_guard_14
            p = p12
            e = e13
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Demand)
        node.annotations = a_annotations
        node.resource = a_resource
        node.device = a_device
        node.amount = a_amount
        node.range = a_range
        node.guard = a_guard
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Demand
        return node
    
    def Let(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_value = None
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'let':
            if p > far:
                far = p
                exp = [52]
            elif p == far:
                exp.append(52)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Let)
        node.name = a_name
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Let
        return node
    
    def Assume(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_condition = None
        a_message = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'assume':
            if p > far:
                far = p
                exp = [53]
            elif p == far:
                exp.append(53)
            return None
        e = m.end(1)
        p = m.end()
        a_condition = Expression(p)
        if a_condition is None:
            return None
        p = pos
        e = end
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'else':
            if p > far:
                far = p
                exp = [54]
            elif p == far:
                exp.append(54)
            return None
        e = m.end(1)
        p = m.end()
        a_message = Text(p)
        if a_message is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Assume)
        node.annotations = a_annotations
        node.condition = a_condition
        node.message = a_message
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Assume
        return node
    
    def Hazard(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_message = None
        a_effect = None
        a_condition = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'h' else None
        if m is None or m[1] != 'hazard':
            if p > far:
                far = p
                exp = [55]
            elif p == far:
                exp.append(55)
            return None
        e = m.end(1)
        p = m.end()
        a_message = Text(p)
        if a_message is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] > '@' else None
            if m is None or m[1] not in w_4:
                if p2 > far:
                    far = p2
                    exp = [56]
                elif p2 == far:
                    exp.append(56)
                break
            a_effect_4 = m[1]
            e3 = m.end(1)
            p2 = m.end()
            a_effect = a_effect_4
            p = p2
            e = e3
            break
        m = word(text, p) if text[p] == 'w' else None
        if m is None or m[1] != 'when':
            if p > far:
                far = p
                exp = [51]
            elif p == far:
                exp.append(51)
            return None
        e = m.end(1)
        p = m.end()
        a_condition = Expression(p)
        if a_condition is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Hazard)
        node.annotations = a_annotations
        node.message = a_message
        node.effect = a_effect
        node.condition = a_condition
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Hazard
        return node
    
    def Signal(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_type = None
        a_source = None
        a_indications = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'signal':
            if p > far:
                far = p
                exp = [57]
            elif p == far:
                exp.append(57)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_source = SignalSource(p)
        if a_source is None:
            return None
        p = pos
        e = end
        while True:
            v = Indication(p)
            if v is None:
                a_indications = ()
                break
            items2 = []
            while v is not None:
                items2.append(v)
                p = pos
                e = end
                v = Indication(p)
            a_indications = tuple(items2)
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Signal)
        node.annotations = a_annotations
        node.name = a_name
        node.type = a_type
        node.source = a_source
        node.indications = a_indications
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Signal
        return node
    
    def Evidence(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_title = None
        a_subjects = ()
        a_clauses = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'evidence':
            if p > far:
                far = p
                exp = [58]
            elif p == far:
                exp.append(58)
            return None
        e = m.end(1)
        p = m.end()
        a_title = Text(p)
        if a_title is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_subjects_4 = ()
            m = word(text, p2) if text[p2] == 'f' else None
            if m is None or m[1] != 'for':
                if p2 > far:
                    far = p2
                    exp = [59]
                elif p2 == far:
                    exp.append(59)
                break
            e3 = m.end(1)
            p2 = m.end()
            v = Ref(p2)
            if v is None:
                break
            p2 = pos
            e3 = end
            items5 = [v]
            while True:
                p6 = p2
                if text[p6] != ',':
                    if p6 > far:
                        far = p6
                        exp = [6]
                    elif p6 == far:
                        exp.append(6)
                    break
                e7 = p6 + 1
                p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
                v = Ref(p6)
                if v is None:
                    break
                items5.append(v)
                p2 = pos
                e3 = end
            a_subjects_4 = tuple(items5)
            a_subjects = a_subjects_4
            p = p2
            e = e3
            break
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = EvidenceClause(p)
            items8 = []
            while v is not None:
                items8.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = EvidenceClause(p)
            a_clauses = tuple(items8)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Evidence)
        node.annotations = a_annotations
        node.title = a_title
        node.subjects = a_subjects
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Evidence
        return node
    
    def Scales(p):
        nonlocal pos, end, far, exp
        s = p
        a_control = None
        a_fraction = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'scales':
            if p > far:
                far = p
                exp = [60]
            elif p == far:
                exp.append(60)
            return None
        e = m.end(1)
        p = m.end()
        a_control = Ref(p)
        if a_control is None:
            return None
        p = pos
        e = end
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'amdahl':
            if p > far:
                far = p
                exp = [61]
            elif p == far:
                exp.append(61)
            return None
        e = m.end(1)
        p = m.end()
        a_fraction = Expression(p)
        if a_fraction is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Scales)
        node.control = a_control
        node.fraction = a_fraction
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Scales
        return node
    
    def MachineUse(p):
        nonlocal pos, end, far, exp
        s = p
        a_facts = ()
        a_name = None
        m = word(text, p) if text[p] == 'm' else None
        if m is None or m[1] != 'machine':
            if p > far:
                far = p
                exp = [14]
            elif p == far:
                exp.append(14)
            return None
        e = m.end(1)
        p = m.end()
        done1 = False
        while True:
            p2 = p
            a_facts_4 = ()
            if text[p2] != '{':
                if p2 > far:
                    far = p2
                    exp = [13]
                elif p2 == far:
                    exp.append(13)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            if text[p2] != '}':
                v = Fact(p2)
                items5 = []
                while v is not None:
                    items5.append(v)
                    p2 = pos
                    e3 = end
                    if not (text[p2] != '}'): break
                    v = Fact(p2)
                a_facts_4 = tuple(items5)
            if text[p2] != '}':
                if p2 > far:
                    far = p2
                    exp = [7]
                elif p2 == far:
                    exp.append(7)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_facts = a_facts_4
            p = p2
            e = e3
            done1 = True
            break
        if not done1:
            while True:
                p6 = p
                a_name_8 = Ref(p6)
                if a_name_8 is None:
                    break
                p6 = pos
                e7 = end
                a_name = a_name_8
                p = p6
                e = e7
                done1 = True
                break
        if not done1:
            return None
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_MachineUse)
        node.facts = a_facts
        node.name = a_name
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.MachineUse
        return node
    
    def Use(p):
        nonlocal pos, end, far, exp
        s = p
        a_items = ()
        m = word(text, p) if text[p] == 'u' else None
        if m is None or m[1] != 'use':
            if p > far:
                far = p
                exp = [62]
            elif p == far:
                exp.append(62)
            return None
        e = m.end(1)
        p = m.end()
        v = UseItem(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = UseItem(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_items = tuple(items1)
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Use)
        node.items = a_items
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Use
        return node
    
    def Environment(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_value = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'env':
            if p > far:
                far = p
                exp = [63]
            elif p == far:
                exp.append(63)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Environment)
        node.name = a_name
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Environment
        return node
    
    def Limit(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_target = None
        a_value = None
        a_guard = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'limit':
            if p > far:
                far = p
                exp = [64]
            elif p == far:
                exp.append(64)
            return None
        e = m.end(1)
        p = m.end()
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'w' else None
            if m is None or m[1] != 'when':
                if p2 > far:
                    far = p2
                    exp = [51]
                elif p2 == far:
                    exp.append(51)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_guard_4 = Expression(p2)
            if a_guard_4 is None:
                break
            p2 = pos
            e3 = end
            a_guard = a_guard_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Limit)
        node.annotations = a_annotations
        node.target = a_target
        node.value = a_value
        node.guard = a_guard
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Limit
        return node
    
    def Run(p):
        nonlocal pos, end, far, exp
        s = p
        a_block = None
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'run':
            if p > far:
                far = p
                exp = [65]
            elif p == far:
                exp.append(65)
            return None
        e = m.end(1)
        p = m.end()
        a_block = Block(p)
        if a_block is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Run)
        node.block = a_block
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Run
        return node
    
    def Command(p):
        nonlocal pos, end, far, exp
        s = p
        a_text = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'command':
            if p > far:
                far = p
                exp = [66]
            elif p == far:
                exp.append(66)
            return None
        e = m.end(1)
        p = m.end()
        a_text = Text(p)
        if a_text is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Command)
        node.text = a_text
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Command
        return node
    
    def Measure(p):
        nonlocal pos, end, far, exp
        s = p
        a_goal = None
        a_pattern = None
        done1 = False
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'm' else None
            if m is None or m[1] != 'measure':
                if p2 > far:
                    far = p2
                    exp = [67]
                elif p2 == far:
                    exp.append(67)
                break
            e3 = m.end(1)
            p2 = m.end()
            m = word(text, p2) if text[p2] == 't' else None
            if m is None or m[1] != 'time':
                if p2 > far:
                    far = p2
                    exp = [68]
                elif p2 == far:
                    exp.append(68)
                break
            e3 = m.end(1)
            p2 = m.end()
            p = p2
            e = e3
            done1 = True
            break
        if not done1:
            while True:
                p4 = p
                m = word(text, p4) if text[p4] > '@' else None
                if m is None or m[1] not in w_5:
                    if p4 > far:
                        far = p4
                        exp = [69]
                    elif p4 == far:
                        exp.append(69)
                    break
                a_goal_6 = m[1]
                e5 = m.end(1)
                p4 = m.end()
                m = word(text, p4) if text[p4] == 'm' else None
                if m is None or m[1] != 'metric':
                    if p4 > far:
                        far = p4
                        exp = [70]
                    elif p4 == far:
                        exp.append(70)
                    break
                e5 = m.end(1)
                p4 = m.end()
                a_pattern_7 = Text(p4)
                if a_pattern_7 is None:
                    break
                p4 = pos
                e5 = end
                a_goal = a_goal_6
                a_pattern = a_pattern_7
                p = p4
                e = e5
                done1 = True
                break
        if not done1:
            return None
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Measure)
        node.goal = a_goal
        node.pattern = a_pattern
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Measure
        return node
    
    def Background(p):
        nonlocal pos, end, far, exp
        s = p
        a_resource = None
        a_amount = None
        m = word(text, p) if text[p] == 'b' else None
        if m is None or m[1] != 'background':
            if p > far:
                far = p
                exp = [71]
            elif p == far:
                exp.append(71)
            return None
        e = m.end(1)
        p = m.end()
        a_resource = Ref(p)
        if a_resource is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_amount = Expression(p)
        if a_amount is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Background)
        node.resource = a_resource
        node.amount = a_amount
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Background
        return node
    
    def Check(p):
        nonlocal pos, end, far, exp
        s = p
        a_applications = ()
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'check':
            if p > far:
                far = p
                exp = [72]
            elif p == far:
                exp.append(72)
            return None
        e = m.end(1)
        p = m.end()
        v = Ref(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = Ref(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_applications = tuple(items1)
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Check)
        node.applications = a_applications
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Check
        return node
    
    def Expectation(p):
        nonlocal far, exp
        c = text[p]
        if c == 'e':
            node = ExpectOvercommit(p)
            if node is not None:
                return node
            node = ExpectSerialized(p)
            if node is not None:
                return node
            node = ExpectHazard(p)
            if node is not None:
                return node
            node = ExpectAssumption(p)
            if node is not None:
                return node
            node = ExpectUnderuse(p)
            if node is not None:
                return node
            node = ExpectClean(p)
            if node is not None:
                return node
            node = ExpectNo(p)
            if node is not None:
                return node
            node = ExpectSafe(p)
            if node is not None:
                return node
            node = ExpectDemand(p)
            if node is not None:
                return node
            node = ExpectAvoidable(p)
            if node is not None:
                return node
            node = ExpectResolved(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [73]
            elif p == far:
                exp.append(73)
            return None
        if p > far:
            far = p
            exp = [73]
        elif p == far:
            exp.append(73)
        return None
    
    def TypeFactor(p):
        nonlocal pos, end, far, exp
        s = p
        a_op = None
        a_name = None
        m = t_TypeOperator(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [74]
            elif p == far:
                exp.append(74)
            return None
        a_op = m[1]
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_1:
            if p > far:
                far = p
                exp = [35]
            elif p == far:
                exp.append(35)
            return None
        a_name = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_TypeFactor)
        node.op = a_op
        node.name = a_name
        node.span = span
        node.doc = None
        node.__class__ = nodes.TypeFactor
        return node
    
    def Operand(p):
        nonlocal far, exp
        c = text[p]
        if c == '"':
            node = Text(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c == '(':
            node = Parenthesis(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c == '-':
            node = Unary(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c == 'i':
            node = Conditional(p)
            if node is not None:
                return node
            node = Call(p)
            if node is not None:
                return node
            node = Reference(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c == 'n':
            node = Unary(p)
            if node is not None:
                return node
            node = Call(p)
            if node is not None:
                return node
            node = Reference(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c in 'ft':
            node = Boolean(p)
            if node is not None:
                return node
            node = Call(p)
            if node is not None:
                return node
            node = Reference(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c in '0123456789':
            node = Quantity(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdeghjklmopqrsuvwxyz':
            node = Call(p)
            if node is not None:
                return node
            node = Reference(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if c > '\x7f':
            node = Quantity(p)
            if node is not None:
                return node
            node = Text(p)
            if node is not None:
                return node
            node = Call(p)
            if node is not None:
                return node
            node = Reference(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [75]
            elif p == far:
                exp.append(75)
            return None
        if p > far:
            far = p
            exp = [75]
        elif p == far:
            exp.append(75)
        return None
    
    def Tail(p):
        nonlocal pos, end, far, exp, special
        s = p
        a_op = None
        a_right = None
        m = t_BinaryOperator(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [76]
            elif p == far:
                exp.append(76)
            return None
        a_op = m[1]
        e = m.end(1)
        p = m.end()
        a_right = Operand(p)
        if a_right is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return a_op, s, a_right
    
    def ControlClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is not None:
            option = ControlClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [77]
        elif p == far:
            exp.append(77)
        return None
    
    def PoolClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is not None:
            option = PoolClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [78]
        elif p == far:
            exp.append(78)
        return None
    
    def Parameter(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_type = None
        a_default = None
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            if text[p1] != '=':
                if p1 > far:
                    far = p1
                    exp = [28]
                elif p1 == far:
                    exp.append(28)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_default_3 = Expression(p1)
            if a_default_3 is None:
                break
            p1 = pos
            e2 = end
            a_default = a_default_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Parameter)
        node.name = a_name
        node.type = a_type
        node.default = a_default
        node.span = span
        node.doc = None
        node.__class__ = nodes.Parameter
        return node
    
    def OperationClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [79]
                elif q == far:
                    exp.append(79)
                return None
            option = OperationClause_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [79]
                elif q == far:
                    exp.append(79)
                return None
            return option(p)
        if m is not None:
            option = OperationClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [79]
        elif p == far:
            exp.append(79)
        return None
    
    def LibraryEntry(p):
        nonlocal far, exp
        c = text[p]
        if c == 'c':
            node = CommandEntry(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [80]
            elif p == far:
                exp.append(80)
            return None
        if c == 'f':
            node = FileEntry(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [80]
            elif p == far:
                exp.append(80)
            return None
        if c == 'p':
            node = PypiEntry(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [80]
            elif p == far:
                exp.append(80)
            return None
        if p > far:
            far = p
            exp = [80]
        elif p == far:
            exp.append(80)
        return None
    
    def LoadClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [81]
                elif q == far:
                    exp.append(81)
                return None
            option = LoadClause_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [81]
                elif q == far:
                    exp.append(81)
                return None
            return option(p)
        if m is not None:
            option = LoadClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [81]
        elif p == far:
            exp.append(81)
        return None
    
    def Device(p):
        nonlocal far, exp
        c = text[p]
        if c == 'a':
            node = AllDevices(p)
            if node is not None:
                return node
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [82]
            elif p == far:
                exp.append(82)
            return None
        if c in '"(-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_bcdefghijklmnopqrstuvwxyz':
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [82]
            elif p == far:
                exp.append(82)
            return None
        if c > '\x7f':
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [82]
            elif p == far:
                exp.append(82)
            return None
        if p > far:
            far = p
            exp = [82]
        elif p == far:
            exp.append(82)
        return None
    
    def SignalSource(p):
        nonlocal far, exp
        c = text[p]
        if c == 'l':
            node = LogSource(p)
            if node is not None:
                return node
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [83]
            elif p == far:
                exp.append(83)
            return None
        if c == 'p':
            node = PythonSource(p)
            if node is not None:
                return node
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [83]
            elif p == far:
                exp.append(83)
            return None
        if c in '"(-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijkmnoqrstuvwxyz':
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [83]
            elif p == far:
                exp.append(83)
            return None
        if c > '\x7f':
            node = Expression(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [83]
            elif p == far:
                exp.append(83)
            return None
        if p > far:
            far = p
            exp = [83]
        elif p == far:
            exp.append(83)
        return None
    
    def Indication(p):
        nonlocal pos, end, far, exp
        s = p
        a_resource = None
        a_condition = None
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'indicates':
            if p > far:
                far = p
                exp = [84]
            elif p == far:
                exp.append(84)
            return None
        e = m.end(1)
        p = m.end()
        a_resource = Ref(p)
        if a_resource is None:
            return None
        p = pos
        e = end
        m = word(text, p) if text[p] == 'w' else None
        if m is None or m[1] != 'when':
            if p > far:
                far = p
                exp = [51]
            elif p == far:
                exp.append(51)
            return None
        e = m.end(1)
        p = m.end()
        a_condition = Expression(p)
        if a_condition is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Indication)
        node.resource = a_resource
        node.condition = a_condition
        node.span = span
        node.doc = None
        node.__class__ = nodes.Indication
        return node
    
    def EvidenceClause_Needs_NeedsOfSystem(p):
        node = Needs(p)
        if node is not None:
            return node
        return NeedsOfSystem(p)
    
    def EvidenceClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [85]
                elif q == far:
                    exp.append(85)
                return None
            option = EvidenceClause_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [85]
                elif q == far:
                    exp.append(85)
                return None
            return option(p)
        if m is not None:
            option = EvidenceClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [85]
        elif p == far:
            exp.append(85)
        return None
    
    def UseItem(p):
        nonlocal pos, end, far, exp
        s = p
        a_library = None
        a_version = None
        a_bindings = ()
        a_library = Ref(p)
        if a_library is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_version_3 = Text(p1)
            if a_version_3 is None:
                break
            p1 = pos
            e2 = end
            a_version = a_version_3
            p = p1
            e = e2
            break
        while True:
            p4 = p
            a_bindings_6 = ()
            if text[p4] != '{':
                if p4 > far:
                    far = p4
                    exp = [13]
                elif p4 == far:
                    exp.append(13)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            if text[p4] != '}':
                v = Binding(p4)
                if v is not None:
                    p4 = pos
                    e5 = end
                    items7 = [v]
                    while True:
                        p8 = p4
                        if text[p8] != ',':
                            if p8 > far:
                                far = p8
                                exp = [6]
                            elif p8 == far:
                                exp.append(6)
                            break
                        e9 = p8 + 1
                        p8 = e9 if text[e9] not in ' \n\t\r/' else skip(text, e9).end()
                        v = Binding(p8)
                        if v is None:
                            break
                        items7.append(v)
                        p4 = pos
                        e5 = end
                    a_bindings_6 = tuple(items7)
            if text[p4] != '}':
                if p4 > far:
                    far = p4
                    exp = [7]
                elif p4 == far:
                    exp.append(7)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            a_bindings = a_bindings_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_UseItem)
        node.library = a_library
        node.version = a_version
        node.bindings = a_bindings
        node.span = span
        node.doc = None
        node.__class__ = nodes.UseItem
        return node
    
    def Block(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Block_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_statements = ()
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            depth -= 1; Block_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = Statement(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = Statement(p)
            a_statements = tuple(items1)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            depth -= 1; Block_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Block)
        node.statements = a_statements
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Block
        return node
    
    def ExpectOvercommit(p):
        nonlocal pos, end, far, exp
        s = p
        a_possible = False
        a_resource = None
        a_figures = None
        a_grade = None
        a_participants = ()
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'p' else None
            if m is None or m[1] != 'possible':
                if p1 > far:
                    far = p1
                    exp = [87]
                elif p1 == far:
                    exp.append(87)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_possible = True
            p = p1
            e = e2
            break
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'overcommit':
            if p > far:
                far = p
                exp = [88]
            elif p == far:
                exp.append(88)
            return None
        e = m.end(1)
        p = m.end()
        a_resource = Ref(p)
        if a_resource is None:
            return None
        p = pos
        e = end
        while True:
            p3 = p
            if t_Number(text, p3) is None:
                if p3 > far:
                    far = p3
                    exp = [89]
                elif p3 == far:
                    exp.append(89)
                break
            a_figures_5 = Expression(p3)
            if a_figures_5 is None:
                break
            p3 = pos
            e4 = end
            a_figures = a_figures_5
            p = p3
            e = e4
            break
        while True:
            p6 = p
            m = word(text, p6) if text[p6] == 'a' else None
            if m is None or m[1] != 'as':
                if p6 > far:
                    far = p6
                    exp = [8]
                elif p6 == far:
                    exp.append(8)
                break
            e7 = m.end(1)
            p6 = m.end()
            m = word(text, p6) if text[p6] > '@' else None
            if m is None or m[1] not in w_6:
                if p6 > far:
                    far = p6
                    exp = [90]
                elif p6 == far:
                    exp.append(90)
                break
            a_grade_8 = m[1]
            e7 = m.end(1)
            p6 = m.end()
            a_grade = a_grade_8
            p = p6
            e = e7
            break
        while True:
            p9 = p
            a_participants_11 = ()
            m = word(text, p9) if text[p9] == 'b' else None
            if m is None or m[1] != 'by':
                if p9 > far:
                    far = p9
                    exp = [91]
                elif p9 == far:
                    exp.append(91)
                break
            e10 = m.end(1)
            p9 = m.end()
            v = Ref(p9)
            if v is None:
                break
            p9 = pos
            e10 = end
            items12 = [v]
            while True:
                p13 = p9
                if text[p13] != ',':
                    if p13 > far:
                        far = p13
                        exp = [6]
                    elif p13 == far:
                        exp.append(6)
                    break
                e14 = p13 + 1
                p13 = e14 if text[e14] not in ' \n\t\r/' else skip(text, e14).end()
                v = Ref(p13)
                if v is None:
                    break
                items12.append(v)
                p9 = pos
                e10 = end
            a_participants_11 = tuple(items12)
            a_participants = a_participants_11
            p = p9
            e = e10
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectOvercommit)
        node.possible = a_possible
        node.resource = a_resource
        node.figures = a_figures
        node.grade = a_grade
        node.participants = a_participants
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectOvercommit
        return node
    
    def ExpectSerialized(p):
        nonlocal pos, end, far, exp
        s = p
        a_pool = None
        a_participants = ()
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'serialized':
            if p > far:
                far = p
                exp = [92]
            elif p == far:
                exp.append(92)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'o' else None
            if m is None or m[1] != 'on':
                if p1 > far:
                    far = p1
                    exp = [48]
                elif p1 == far:
                    exp.append(48)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_pool_3 = Ref(p1)
            if a_pool_3 is None:
                break
            p1 = pos
            e2 = end
            a_pool = a_pool_3
            p = p1
            e = e2
            break
        while True:
            p4 = p
            a_participants_6 = ()
            m = word(text, p4) if text[p4] == 'b' else None
            if m is None or m[1] != 'by':
                if p4 > far:
                    far = p4
                    exp = [91]
                elif p4 == far:
                    exp.append(91)
                break
            e5 = m.end(1)
            p4 = m.end()
            v = Ref(p4)
            if v is None:
                break
            p4 = pos
            e5 = end
            items7 = [v]
            while True:
                p8 = p4
                if text[p8] != ',':
                    if p8 > far:
                        far = p8
                        exp = [6]
                    elif p8 == far:
                        exp.append(6)
                    break
                e9 = p8 + 1
                p8 = e9 if text[e9] not in ' \n\t\r/' else skip(text, e9).end()
                v = Ref(p8)
                if v is None:
                    break
                items7.append(v)
                p4 = pos
                e5 = end
            a_participants_6 = tuple(items7)
            a_participants = a_participants_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectSerialized)
        node.pool = a_pool
        node.participants = a_participants
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectSerialized
        return node
    
    def ExpectHazard(p):
        nonlocal pos, end, far, exp
        s = p
        a_message = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'h' else None
        if m is None or m[1] != 'hazard':
            if p > far:
                far = p
                exp = [55]
            elif p == far:
                exp.append(55)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            a_message_3 = Text(p1)
            if a_message_3 is None:
                break
            p1 = pos
            e2 = end
            a_message = a_message_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectHazard)
        node.message = a_message
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectHazard
        return node
    
    def ExpectAssumption(p):
        nonlocal pos, end, far, exp
        s = p
        a_message = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'assumption':
            if p > far:
                far = p
                exp = [93]
            elif p == far:
                exp.append(93)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            a_message_3 = Text(p1)
            if a_message_3 is None:
                break
            p1 = pos
            e2 = end
            a_message = a_message_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectAssumption)
        node.message = a_message
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectAssumption
        return node
    
    def ExpectUnderuse(p):
        nonlocal pos, end, far, exp
        s = p
        a_word = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'u' else None
        if m is None or m[1] != 'underuse':
            if p > far:
                far = p
                exp = [94]
            elif p == far:
                exp.append(94)
            return None
        a_word = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectUnderuse)
        node.word = a_word
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectUnderuse
        return node
    
    def ExpectClean(p):
        nonlocal pos, end, far, exp
        s = p
        a_word = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'clean':
            if p > far:
                far = p
                exp = [95]
            elif p == far:
                exp.append(95)
            return None
        a_word = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectClean)
        node.word = a_word
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectClean
        return node
    
    def ExpectNo(p):
        nonlocal pos, end, far, exp
        s = p
        a_kind = None
        a_resource = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'n' else None
        if m is None or m[1] != 'no':
            if p > far:
                far = p
                exp = [96]
            elif p == far:
                exp.append(96)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_7:
            if p > far:
                far = p
                exp = [97]
            elif p == far:
                exp.append(97)
            return None
        a_kind = m[1]
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'o' else None
            if m is None or m[1] != 'of':
                if p1 > far:
                    far = p1
                    exp = [98]
                elif p1 == far:
                    exp.append(98)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_resource_3 = Ref(p1)
            if a_resource_3 is None:
                break
            p1 = pos
            e2 = end
            a_resource = a_resource_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectNo)
        node.kind = a_kind
        node.resource = a_resource
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectNo
        return node
    
    def ExpectSafe(p):
        nonlocal pos, end, far, exp
        s = p
        a_resource = None
        a_settings = ()
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'safe':
            if p > far:
                far = p
                exp = [99]
            elif p == far:
                exp.append(99)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'f' else None
            if m is None or m[1] != 'for':
                if p1 > far:
                    far = p1
                    exp = [59]
                elif p1 == far:
                    exp.append(59)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_resource_3 = Ref(p1)
            if a_resource_3 is None:
                break
            p1 = pos
            e2 = end
            a_resource = a_resource_3
            p = p1
            e = e2
            break
        while True:
            p4 = p
            a_settings_6 = ()
            m = word(text, p4) if text[p4] == 'w' else None
            if m is None or m[1] != 'with':
                if p4 > far:
                    far = p4
                    exp = [100]
                elif p4 == far:
                    exp.append(100)
                break
            e5 = m.end(1)
            p4 = m.end()
            if text[p4] != '{':
                if p4 > far:
                    far = p4
                    exp = [13]
                elif p4 == far:
                    exp.append(13)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            if text[p4] != '}':
                v = Setting(p4)
                if v is not None:
                    p4 = pos
                    e5 = end
                    items7 = [v]
                    while True:
                        p8 = p4
                        if text[p8] != ',':
                            if p8 > far:
                                far = p8
                                exp = [6]
                            elif p8 == far:
                                exp.append(6)
                            break
                        e9 = p8 + 1
                        p8 = e9 if text[e9] not in ' \n\t\r/' else skip(text, e9).end()
                        v = Setting(p8)
                        if v is None:
                            break
                        items7.append(v)
                        p4 = pos
                        e5 = end
                    a_settings_6 = tuple(items7)
            if text[p4] != '}':
                if p4 > far:
                    far = p4
                    exp = [7]
                elif p4 == far:
                    exp.append(7)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            a_settings = a_settings_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectSafe)
        node.resource = a_resource
        node.settings = a_settings
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectSafe
        return node
    
    def ExpectDemand(p):
        nonlocal pos, end, far, exp
        s = p
        a_resource = None
        a_amount = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'd' else None
        if m is None or m[1] != 'demand':
            if p > far:
                far = p
                exp = [50]
            elif p == far:
                exp.append(50)
            return None
        e = m.end(1)
        p = m.end()
        a_resource = Ref(p)
        if a_resource is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_amount = Expression(p)
        if a_amount is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectDemand)
        node.resource = a_resource
        node.amount = a_amount
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectDemand
        return node
    
    def ExpectAvoidable(p):
        nonlocal pos, end, far, exp
        s = p
        a_verdict = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_8:
            if p > far:
                far = p
                exp = [101]
            elif p == far:
                exp.append(101)
            return None
        a_verdict = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectAvoidable)
        node.verdict = a_verdict
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectAvoidable
        return node
    
    def ExpectResolved(p):
        nonlocal pos, end, far, exp
        s = p
        a_target = None
        a_value = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'v' else None
        if m is None or m[1] != 'value':
            if p > far:
                far = p
                exp = [102]
            elif p == far:
                exp.append(102)
            return None
        e = m.end(1)
        p = m.end()
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectResolved)
        node.target = a_target
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectResolved
        return node
    
    def Unary(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Unary_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_op = None
        a_operand = None
        m = t_UnaryOperator(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [103]
            elif p == far:
                exp.append(103)
            depth -= 1; Unary_failed.add(s); return None
        a_op = m[1]
        e = m.end(1)
        p = m.end()
        a_operand = Operand(p)
        if a_operand is None:
            depth -= 1; Unary_failed.add(s); return None
        p = pos
        e = end
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Unary)
        node.op = a_op
        node.operand = a_operand
        node.span = span
        node.doc = None
        node.__class__ = nodes.Unary
        return node
    
    def Conditional(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Conditional_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_condition = None
        a_then = None
        a_otherwise = None
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'if':
            if p > far:
                far = p
                exp = [104]
            elif p == far:
                exp.append(104)
            depth -= 1; Conditional_failed.add(s); return None
        e = m.end(1)
        p = m.end()
        a_condition = Expression(p)
        if a_condition is None:
            depth -= 1; Conditional_failed.add(s); return None
        p = pos
        e = end
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'then':
            if p > far:
                far = p
                exp = [105]
            elif p == far:
                exp.append(105)
            depth -= 1; Conditional_failed.add(s); return None
        e = m.end(1)
        p = m.end()
        a_then = Expression(p)
        if a_then is None:
            depth -= 1; Conditional_failed.add(s); return None
        p = pos
        e = end
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'else':
            if p > far:
                far = p
                exp = [54]
            elif p == far:
                exp.append(54)
            depth -= 1; Conditional_failed.add(s); return None
        e = m.end(1)
        p = m.end()
        a_otherwise = Expression(p)
        if a_otherwise is None:
            depth -= 1; Conditional_failed.add(s); return None
        p = pos
        e = end
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Conditional)
        node.condition = a_condition
        node.then = a_then
        node.otherwise = a_otherwise
        node.span = span
        node.doc = None
        node.__class__ = nodes.Conditional
        return node
    
    def Parenthesis(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Parenthesis_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_inner = None
        if text[p] != '(':
            if p > far:
                far = p
                exp = [23]
            elif p == far:
                exp.append(23)
            depth -= 1; Parenthesis_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_inner = Expression(p)
        if a_inner is None:
            depth -= 1; Parenthesis_failed.add(s); return None
        p = pos
        e = end
        if text[p] != ')':
            if p > far:
                far = p
                exp = [24]
            elif p == far:
                exp.append(24)
            depth -= 1; Parenthesis_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Parenthesis)
        node.inner = a_inner
        node.span = span
        node.doc = None
        node.__class__ = nodes.Parenthesis
        return node
    
    def Quantity(p):
        nonlocal pos, end, far, exp, special
        s = p
        a_number = None
        a_unit = None
        m = t_Number(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [89]
            elif p == far:
                exp.append(89)
            return None
        a_number = m[1]
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = t_Unit(text, p1)
            if m is None:
                if p1 > far:
                    far = p1
                    exp = [106]
                elif p1 == far:
                    exp.append(106)
                break
            a_unit_3 = m[1]
            e2 = m.end(1)
            p1 = m.end()
            a_unit = a_unit_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        value = quantities.get((a_number, a_unit))
        if value is None:
            if len(a_number) > build.MAX_DIGITS:
                special = ('number', s, s + len(a_number))
                return None
            value = quantities[a_number, a_unit] = build.quantity(a_number, a_unit)
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Quantity)
        node.value = value
        node.unit = a_unit
        node.span = span
        node.doc = None
        node.__class__ = nodes.Quantity
        return node
    
    def Boolean(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_9:
            if p > far:
                far = p
                exp = [107]
            elif p == far:
                exp.append(107)
            return None
        a_value = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Boolean)
        node.value = a_value == 'true'
        node.span = span
        node.doc = None
        node.__class__ = nodes.Boolean
        return node
    
    def Call(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Call_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_function = None
        a_args = ()
        a_member = None
        m = t_FunctionName(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [108]
            elif p == far:
                exp.append(108)
            depth -= 1; Call_failed.add(s); return None
        a_function = m[1]
        e = m.end(1)
        p = m.end()
        if text[p] != '(':
            if p > far:
                far = p
                exp = [23]
            elif p == far:
                exp.append(23)
            depth -= 1; Call_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != ')':
            v = Expression(p)
            if v is not None:
                p = pos
                e = end
                items1 = [v]
                while True:
                    p2 = p
                    if text[p2] != ',':
                        if p2 > far:
                            far = p2
                            exp = [6]
                        elif p2 == far:
                            exp.append(6)
                        break
                    e3 = p2 + 1
                    p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
                    v = Expression(p2)
                    if v is None:
                        break
                    items1.append(v)
                    p = pos
                    e = end
                a_args = tuple(items1)
        if text[p] != ')':
            if p > far:
                far = p
                exp = [24]
            elif p == far:
                exp.append(24)
            depth -= 1; Call_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        while True:
            p4 = p
            if text[p4] != '.':
                if p4 > far:
                    far = p4
                    exp = [109]
                elif p4 == far:
                    exp.append(109)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            m = t_Path(text, p4)
            if m is None:
                if p4 > far:
                    far = p4
                    exp = [2]
                elif p4 == far:
                    exp.append(2)
                break
            a_member_6 = m[1]
            e5 = m.end(1)
            p4 = m.end()
            a_member = a_member_6
            p = p4
            e = e5
            break
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Call)
        node.function = a_function
        node.args = a_args
        node.member = a_member
        node.span = span
        node.doc = None
        node.__class__ = nodes.Call
        return node
    
    def Reference(p):
        nonlocal pos, end, far, exp
        s = p
        a_path = None
        m = t_ReferencePath(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [110]
            elif p == far:
                exp.append(110)
            return None
        a_path = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Reference)
        node.path = a_path
        node.span = span
        node.doc = None
        node.__class__ = nodes.Reference
        return node
    
    def EnvSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_names = ()
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'env':
            if p > far:
                far = p
                exp = [63]
            elif p == far:
                exp.append(63)
            return None
        e = m.end(1)
        p = m.end()
        v = Name(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = Name(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_names = tuple(items1)
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_EnvSource)
        node.names = a_names
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.EnvSource
        return node
    
    def ApiSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_text = None
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'api':
            if p > far:
                far = p
                exp = [111]
            elif p == far:
                exp.append(111)
            return None
        e = m.end(1)
        p = m.end()
        a_text = Text(p)
        if a_text is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ApiSource)
        node.text = a_text
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ApiSource
        return node
    
    def ArgumentSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_text = None
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'argument':
            if p > far:
                far = p
                exp = [112]
            elif p == far:
                exp.append(112)
            return None
        e = m.end(1)
        p = m.end()
        a_text = Text(p)
        if a_text is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ArgumentSource)
        node.text = a_text
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ArgumentSource
        return node
    
    def ConfigSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_text = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'config':
            if p > far:
                far = p
                exp = [113]
            elif p == far:
                exp.append(113)
            return None
        e = m.end(1)
        p = m.end()
        a_text = Text(p)
        if a_text is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ConfigSource)
        node.text = a_text
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ConfigSource
        return node
    
    def Default(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 'd' else None
        if m is None or m[1] != 'default':
            if p > far:
                far = p
                exp = [114]
            elif p == far:
                exp.append(114)
            return None
        e = m.end(1)
        p = m.end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Default)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Default
        return node
    
    def Read(p):
        nonlocal pos, end, far, exp
        s = p
        a_moment = None
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'read':
            if p > far:
                far = p
                exp = [115]
            elif p == far:
                exp.append(115)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'at':
            if p > far:
                far = p
                exp = [116]
            elif p == far:
                exp.append(116)
            return None
        e = m.end(1)
        p = m.end()
        m = t_ReadMoment(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [117]
            elif p == far:
                exp.append(117)
            return None
        a_moment = ' '.join(m[1].split())
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Read)
        node.moment = a_moment
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Read
        return node
    
    def TextForm(p):
        nonlocal pos, end, far, exp
        s = p
        a_form = None
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'text':
            if p > far:
                far = p
                exp = [118]
            elif p == far:
                exp.append(118)
            return None
        e = m.end(1)
        p = m.end()
        m = t_TextFormKind(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [119]
            elif p == far:
                exp.append(119)
            return None
        a_form = ' '.join(m[1].split())
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_TextForm)
        node.form = a_form
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.TextForm
        return node
    
    def Invalid(p):
        nonlocal pos, end, far, exp
        s = p
        a_policy = None
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'invalid':
            if p > far:
                far = p
                exp = [120]
            elif p == far:
                exp.append(120)
            return None
        e = m.end(1)
        p = m.end()
        m = t_InvalidPolicy(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [121]
            elif p == far:
                exp.append(121)
            return None
        a_policy = ' '.join(m[1].split())
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Invalid)
        node.policy = a_policy
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Invalid
        return node
    
    def Scope(p):
        nonlocal pos, end, far, exp
        s = p
        a_reach = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'scope':
            if p > far:
                far = p
                exp = [122]
            elif p == far:
                exp.append(122)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_10:
            if p > far:
                far = p
                exp = [123]
            elif p == far:
                exp.append(123)
            return None
        a_reach = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Scope)
        node.reach = a_reach
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Scope
        return node
    
    def Size(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'size':
            if p > far:
                far = p
                exp = [124]
            elif p == far:
                exp.append(124)
            return None
        e = m.end(1)
        p = m.end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Size)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Size
        return node
    
    def Existing(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'existing':
            if p > far:
                far = p
                exp = [125]
            elif p == far:
                exp.append(125)
            return None
        e = m.end(1)
        p = m.end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Existing)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Existing
        return node
    
    def CallersPolicy(p):
        nonlocal pos, end, far, exp
        s = p
        a_policy = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'callers':
            if p > far:
                far = p
                exp = [126]
            elif p == far:
                exp.append(126)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_11:
            if p > far:
                far = p
                exp = [127]
            elif p == far:
                exp.append(127)
            return None
        a_policy = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_CallersPolicy)
        node.policy = a_policy
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.CallersPolicy
        return node
    
    def CallerRole(p):
        nonlocal pos, end, far, exp
        s = p
        a_role = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'caller':
            if p > far:
                far = p
                exp = [128]
            elif p == far:
                exp.append(128)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_12:
            if p > far:
                far = p
                exp = [129]
            elif p == far:
                exp.append(129)
            return None
        a_role = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_CallerRole)
        node.role = a_role
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.CallerRole
        return node
    
    def Coupling(p):
        nonlocal pos, end, far, exp
        s = p
        a_kind = None
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'threads':
            if p > far:
                far = p
                exp = [130]
            elif p == far:
                exp.append(130)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_13:
            if p > far:
                far = p
                exp = [131]
            elif p == far:
                exp.append(131)
            return None
        a_kind = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Coupling)
        node.kind = a_kind
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Coupling
        return node
    
    def Created(p):
        nonlocal pos, end, far, exp
        s = p
        a_moment = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'created':
            if p > far:
                far = p
                exp = [132]
            elif p == far:
                exp.append(132)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'at':
            if p > far:
                far = p
                exp = [116]
            elif p == far:
                exp.append(116)
            return None
        e = m.end(1)
        p = m.end()
        m = t_CreationMoment(text, p)
        if m is None:
            if p > far:
                far = p
                exp = [133]
            elif p == far:
                exp.append(133)
            return None
        a_moment = ' '.join(m[1].split())
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Created)
        node.moment = a_moment
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Created
        return node
    
    def Idle(p):
        nonlocal pos, end, far, exp
        s = p
        a_how = None
        a_duration = None
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'idle':
            if p > far:
                far = p
                exp = [134]
            elif p == far:
                exp.append(134)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_14:
            if p > far:
                far = p
                exp = [135]
            elif p == far:
                exp.append(135)
            return None
        a_how = m[1]
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'f' else None
            if m is None or m[1] != 'for':
                if p1 > far:
                    far = p1
                    exp = [59]
                elif p1 == far:
                    exp.append(59)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_duration_3 = Expression(p1)
            if a_duration_3 is None:
                break
            p1 = pos
            e2 = end
            a_duration = a_duration_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Idle)
        node.how = a_how
        node.duration = a_duration
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Idle
        return node
    
    def ForkBehaviour(p):
        nonlocal pos, end, far, exp
        s = p
        a_effect = None
        m = word(text, p) if text[p] == 'f' else None
        if m is None or m[1] != 'fork':
            if p > far:
                far = p
                exp = [136]
            elif p == far:
                exp.append(136)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_15:
            if p > far:
                far = p
                exp = [137]
            elif p == far:
                exp.append(137)
            return None
        a_effect = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ForkBehaviour)
        node.effect = a_effect
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ForkBehaviour
        return node
    
    def Nested(p):
        nonlocal pos, end, far, exp
        s = p
        a_word = None
        m = word(text, p) if text[p] == 'n' else None
        if m is None or m[1] != 'nested':
            if p > far:
                far = p
                exp = [138]
            elif p == far:
                exp.append(138)
            return None
        a_word = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Nested)
        node.word = a_word
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Nested
        return node
    
    def RunsOn(p):
        nonlocal pos, end, far, exp
        s = p
        a_pool = None
        a_size = None
        a_guard = None
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'runs':
            if p > far:
                far = p
                exp = [139]
            elif p == far:
                exp.append(139)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'on':
            if p > far:
                far = p
                exp = [48]
            elif p == far:
                exp.append(48)
            return None
        e = m.end(1)
        p = m.end()
        a_pool = Ref(p)
        if a_pool is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'w' else None
            if m is None or m[1] != 'with':
                if p1 > far:
                    far = p1
                    exp = [100]
                elif p1 == far:
                    exp.append(100)
                break
            e2 = m.end(1)
            p1 = m.end()
            m = word(text, p1) if text[p1] == 's' else None
            if m is None or m[1] != 'size':
                if p1 > far:
                    far = p1
                    exp = [124]
                elif p1 == far:
                    exp.append(124)
                break
            e2 = m.end(1)
            p1 = m.end()
            if text[p1] != '=':
                if p1 > far:
                    far = p1
                    exp = [28]
                elif p1 == far:
                    exp.append(28)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_size_3 = Expression(p1)
            if a_size_3 is None:
                break
            p1 = pos
            e2 = end
            a_size = a_size_3
            p = p1
            e = e2
            break
        while True:
            p4 = p
            m = word(text, p4) if text[p4] == 'w' else None
            if m is None or m[1] != 'when':
                if p4 > far:
                    far = p4
                    exp = [51]
                elif p4 == far:
                    exp.append(51)
                break
            e5 = m.end(1)
            p4 = m.end()
            a_guard_6 = Expression(p4)
            if a_guard_6 is None:
                break
            p4 = pos
            e5 = end
            a_guard = a_guard_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_RunsOn)
        node.pool = a_pool
        node.size = a_size
        node.guard = a_guard
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.RunsOn
        return node
    
    def Calls(p):
        nonlocal pos, end, far, exp
        s = p
        a_target = None
        a_arguments = ()
        a_passes_block = False
        a_guard = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'calls':
            if p > far:
                far = p
                exp = [140]
            elif p == far:
                exp.append(140)
            return None
        e = m.end(1)
        p = m.end()
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_arguments_3 = ()
            if text[p1] != '(':
                if p1 > far:
                    far = p1
                    exp = [23]
                elif p1 == far:
                    exp.append(23)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            if text[p1] != ')':
                v = Argument(p1)
                if v is not None:
                    p1 = pos
                    e2 = end
                    items4 = [v]
                    while True:
                        p5 = p1
                        if text[p5] != ',':
                            if p5 > far:
                                far = p5
                                exp = [6]
                            elif p5 == far:
                                exp.append(6)
                            break
                        e6 = p5 + 1
                        p5 = e6 if text[e6] not in ' \n\t\r/' else skip(text, e6).end()
                        v = Argument(p5)
                        if v is None:
                            break
                        items4.append(v)
                        p1 = pos
                        e2 = end
                    a_arguments_3 = tuple(items4)
            if text[p1] != ')':
                if p1 > far:
                    far = p1
                    exp = [24]
                elif p1 == far:
                    exp.append(24)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_arguments = a_arguments_3
            p = p1
            e = e2
            break
        while True:
            p7 = p
            a_passes_block_9 = False
            while True:
                p10 = p7
                m = word(text, p10) if text[p10] == 'w' else None
                if m is None or m[1] != 'with':
                    if p10 > far:
                        far = p10
                        exp = [100]
                    elif p10 == far:
                        exp.append(100)
                    break
                e11 = m.end(1)
                p10 = m.end()
                a_passes_block_9 = True
                p7 = p10
                e8 = e11
                break
            m = word(text, p7) if text[p7] == 'b' else None
            if m is None or m[1] != 'block':
                if p7 > far:
                    far = p7
                    exp = [141]
                elif p7 == far:
                    exp.append(141)
                break
            e8 = m.end(1)
            p7 = m.end()
            a_passes_block = a_passes_block_9
            p = p7
            e = e8
            break
        while True:
            p12 = p
            m = word(text, p12) if text[p12] == 'w' else None
            if m is None or m[1] != 'when':
                if p12 > far:
                    far = p12
                    exp = [51]
                elif p12 == far:
                    exp.append(51)
                break
            e13 = m.end(1)
            p12 = m.end()
            a_guard_14 = Expression(p12)
            if a_guard_14 is None:
                break
            p12 = pos
            e13 = end
            a_guard = a_guard_14
            p = p12
            e = e13
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Calls)
        node.target = a_target
        node.arguments = a_arguments
        node.passes_block = a_passes_block
        node.guard = a_guard
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Calls
        return node
    
    def Workers(p):
        nonlocal pos, end, far, exp
        s = p
        a_kind = None
        a_count = None
        a_guard = None
        a_clauses = ()
        m = word(text, p) if text[p] == 'w' else None
        if m is None or m[1] != 'workers':
            if p > far:
                far = p
                exp = [142]
            elif p == far:
                exp.append(142)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_16:
            if p > far:
                far = p
                exp = [143]
            elif p == far:
                exp.append(143)
            return None
        a_kind = m[1]
        e = m.end(1)
        p = m.end()
        a_count = Expression(p)
        if a_count is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'w' else None
            if m is None or m[1] != 'when':
                if p1 > far:
                    far = p1
                    exp = [51]
                elif p1 == far:
                    exp.append(51)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_guard_3 = Expression(p1)
            if a_guard_3 is None:
                break
            p1 = pos
            e2 = end
            a_guard = a_guard_3
            p = p1
            e = e2
            break
        while True:
            p4 = p
            a_clauses_6 = ()
            if text[p4] != '{':
                if p4 > far:
                    far = p4
                    exp = [13]
                elif p4 == far:
                    exp.append(13)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            if text[p4] != '}':
                v = WorkerClause(p4)
                items7 = []
                while v is not None:
                    items7.append(v)
                    p4 = pos
                    e5 = end
                    if not (text[p4] != '}'): break
                    v = WorkerClause(p4)
                a_clauses_6 = tuple(items7)
            if text[p4] != '}':
                if p4 > far:
                    far = p4
                    exp = [7]
                elif p4 == far:
                    exp.append(7)
                break
            e5 = p4 + 1
            p4 = e5 if text[e5] not in ' \n\t\r/' else skip(text, e5).end()
            a_clauses = a_clauses_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Workers)
        node.kind = a_kind
        node.count = a_count
        node.guard = a_guard
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Workers
        return node
    
    def PypiEntry(p):
        nonlocal pos, end, far, exp
        s = p
        a_distribution = None
        a_versions = None
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'pypi':
            if p > far:
                far = p
                exp = [144]
            elif p == far:
                exp.append(144)
            return None
        e = m.end(1)
        p = m.end()
        a_distribution = Text(p)
        if a_distribution is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_versions_3 = Text(p1)
            if a_versions_3 is None:
                break
            p1 = pos
            e2 = end
            a_versions = a_versions_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_PypiEntry)
        node.distribution = a_distribution
        node.versions = a_versions
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.PypiEntry
        return node
    
    def FileEntry(p):
        nonlocal pos, end, far, exp
        s = p
        a_patterns = ()
        m = word(text, p) if text[p] == 'f' else None
        if m is None or m[1] != 'file':
            if p > far:
                far = p
                exp = [145]
            elif p == far:
                exp.append(145)
            return None
        e = m.end(1)
        p = m.end()
        v = Text(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = Text(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_patterns = tuple(items1)
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_FileEntry)
        node.patterns = a_patterns
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.FileEntry
        return node
    
    def CommandEntry(p):
        nonlocal pos, end, far, exp
        s = p
        a_patterns = ()
        a_versions = None
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'command':
            if p > far:
                far = p
                exp = [66]
            elif p == far:
                exp.append(66)
            return None
        e = m.end(1)
        p = m.end()
        v = Text(p)
        if v is None:
            return None
        p = pos
        e = end
        items1 = [v]
        while True:
            p2 = p
            if text[p2] != ',':
                if p2 > far:
                    far = p2
                    exp = [6]
                elif p2 == far:
                    exp.append(6)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            v = Text(p2)
            if v is None:
                break
            items1.append(v)
            p = pos
            e = end
        a_patterns = tuple(items1)
        while True:
            p4 = p
            a_versions_6 = Text(p4)
            if a_versions_6 is None:
                break
            p4 = pos
            e5 = end
            a_versions = a_versions_6
            p = p4
            e = e5
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_CommandEntry)
        node.patterns = a_patterns
        node.versions = a_versions
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.CommandEntry
        return node
    
    def SetVariable(p):
        nonlocal pos, end, far, exp
        s = p
        a_weak = False
        a_name = None
        a_value = None
        a_guard = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'set':
            if p > far:
                far = p
                exp = [146]
            elif p == far:
                exp.append(146)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'd' else None
            if m is None or m[1] != 'default':
                if p1 > far:
                    far = p1
                    exp = [114]
                elif p1 == far:
                    exp.append(114)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_weak = True
            p = p1
            e = e2
            break
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        while True:
            p3 = p
            m = word(text, p3) if text[p3] == 'w' else None
            if m is None or m[1] != 'when':
                if p3 > far:
                    far = p3
                    exp = [51]
                elif p3 == far:
                    exp.append(51)
                break
            e4 = m.end(1)
            p3 = m.end()
            a_guard_5 = Expression(p3)
            if a_guard_5 is None:
                break
            p3 = pos
            e4 = end
            a_guard = a_guard_5
            p = p3
            e = e4
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_SetVariable)
        node.weak = a_weak
        node.name = a_name
        node.value = a_value
        node.guard = a_guard
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.SetVariable
        return node
    
    def Pin(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'pin':
            if p > far:
                far = p
                exp = [147]
            elif p == far:
                exp.append(147)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'cpus':
            if p > far:
                far = p
                exp = [148]
            elif p == far:
                exp.append(148)
            return None
        e = m.end(1)
        p = m.end()
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Pin)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Pin
        return node
    
    def AllDevices(p):
        nonlocal pos, end, far, exp
        s = p
        a_word = None
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'all':
            if p > far:
                far = p
                exp = [149]
            elif p == far:
                exp.append(149)
            return None
        a_word = m[1]
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_AllDevices)
        node.word = a_word
        node.span = span
        node.doc = None
        node.__class__ = nodes.AllDevices
        return node
    
    def LogSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_pattern = None
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'log':
            if p > far:
                far = p
                exp = [150]
            elif p == far:
                exp.append(150)
            return None
        e = m.end(1)
        p = m.end()
        a_pattern = Text(p)
        if a_pattern is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_LogSource)
        node.pattern = a_pattern
        node.span = span
        node.doc = None
        node.__class__ = nodes.LogSource
        return node
    
    def PythonSource(p):
        nonlocal pos, end, far, exp
        s = p
        a_code = None
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'python':
            if p > far:
                far = p
                exp = [151]
            elif p == far:
                exp.append(151)
            return None
        e = m.end(1)
        p = m.end()
        a_code = Text(p)
        if a_code is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_PythonSource)
        node.code = a_code
        node.span = span
        node.doc = None
        node.__class__ = nodes.PythonSource
        return node
    
    def Quota(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 'q' else None
        if m is None or m[1] != 'quota':
            if p > far:
                far = p
                exp = [152]
            elif p == far:
                exp.append(152)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'cpus':
            if p > far:
                far = p
                exp = [148]
            elif p == far:
                exp.append(148)
            return None
        e = m.end(1)
        p = m.end()
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Quota)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Quota
        return node
    
    def Needs(p):
        nonlocal pos, end, far, exp
        s = p
        a_distribution = None
        a_versions = None
        m = word(text, p) if text[p] == 'n' else None
        if m is None or m[1] != 'needs':
            if p > far:
                far = p
                exp = [153]
            elif p == far:
                exp.append(153)
            return None
        e = m.end(1)
        p = m.end()
        a_distribution = Text(p)
        if a_distribution is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_versions_3 = Text(p1)
            if a_versions_3 is None:
                break
            p1 = pos
            e2 = end
            a_versions = a_versions_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Needs)
        node.distribution = a_distribution
        node.versions = a_versions
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Needs
        return node
    
    def NeedsOfSystem(p):
        nonlocal pos, end, far, exp
        s = p
        a_kind = None
        a_name = None
        m = word(text, p) if text[p] == 'n' else None
        if m is None or m[1] != 'needs':
            if p > far:
                far = p
                exp = [153]
            elif p == far:
                exp.append(153)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_17:
            if p > far:
                far = p
                exp = [154]
            elif p == far:
                exp.append(154)
            return None
        a_kind = m[1]
        e = m.end(1)
        p = m.end()
        a_name = Text(p)
        if a_name is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_NeedsOfSystem)
        node.kind = a_kind
        node.name = a_name
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.NeedsOfSystem
        return node
    
    def Timeout(p):
        nonlocal pos, end, far, exp
        s = p
        a_value = None
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'timeout':
            if p > far:
                far = p
                exp = [155]
            elif p == far:
                exp.append(155)
            return None
        e = m.end(1)
        p = m.end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Timeout)
        node.value = a_value
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Timeout
        return node
    
    def Try(p):
        nonlocal pos, end, far, exp
        s = p
        a_title = None
        a_clauses = ()
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'try':
            if p > far:
                far = p
                exp = [156]
            elif p == far:
                exp.append(156)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            a_title_3 = Text(p1)
            if a_title_3 is None:
                break
            p1 = pos
            e2 = end
            a_title = a_title_3
            p = p1
            e = e2
            break
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = TryClause(p)
            items4 = []
            while v is not None:
                items4.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = TryClause(p)
            a_clauses = tuple(items4)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Try)
        node.title = a_title
        node.clauses = a_clauses
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Try
        return node
    
    def PythonCode(p):
        nonlocal pos, end, far, exp
        s = p
        a_code = None
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'python':
            if p > far:
                far = p
                exp = [151]
            elif p == far:
                exp.append(151)
            return None
        e = m.end(1)
        p = m.end()
        a_code = Text(p)
        if a_code is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_PythonCode)
        node.code = a_code
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.PythonCode
        return node
    
    def ExpectValue(p):
        nonlocal pos, end, far, exp
        s = p
        a_condition = None
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'expect':
            if p > far:
                far = p
                exp = [86]
            elif p == far:
                exp.append(86)
            return None
        e = m.end(1)
        p = m.end()
        a_condition = Expression(p)
        if a_condition is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_ExpectValue)
        node.condition = a_condition
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.ExpectValue
        return node
    
    def Binding(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_provider = None
        a_private = False
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_provider = Ref(p)
        if a_provider is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'p' else None
            if m is None or m[1] != 'private':
                if p1 > far:
                    far = p1
                    exp = [47]
                elif p1 == far:
                    exp.append(47)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_private = True
            p = p1
            e = e2
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Binding)
        node.name = a_name
        node.provider = a_provider
        node.private = a_private
        node.span = span
        node.doc = None
        node.__class__ = nodes.Binding
        return node
    
    def Statement(p):
        nonlocal far, exp
        c = text[p]
        if c == 'l':
            node = LimitBlock(p)
            if node is not None:
                return node
            node = Invocation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [157]
            elif p == far:
                exp.append(157)
            return None
        if c == 't':
            node = Together(p)
            if node is not None:
                return node
            node = Invocation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [157]
            elif p == far:
                exp.append(157)
            return None
        if c == '{':
            node = Block(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [157]
            elif p == far:
                exp.append(157)
            return None
        if c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijkmnopqrsuvwxyz':
            node = Invocation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [157]
            elif p == far:
                exp.append(157)
            return None
        if c > '\x7f':
            node = Invocation(p)
            if node is not None:
                return node
            if p > far:
                far = p
                exp = [157]
            elif p == far:
                exp.append(157)
            return None
        if p > far:
            far = p
            exp = [157]
        elif p == far:
            exp.append(157)
        return None
    
    def Setting(p):
        nonlocal pos, end, far, exp
        s = p
        a_target = None
        a_value = None
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Setting)
        node.target = a_target
        node.value = a_value
        node.span = span
        node.doc = None
        node.__class__ = nodes.Setting
        return node
    
    def Argument(p):
        nonlocal pos, end, far, exp
        s = p
        a_name = None
        a_value = None
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Argument)
        node.name = a_name
        node.value = a_value
        node.span = span
        node.doc = None
        node.__class__ = nodes.Argument
        return node
    
    def WorkerClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [158]
                elif q == far:
                    exp.append(158)
                return None
            option = WorkerClause_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [158]
                elif q == far:
                    exp.append(158)
                return None
            return option(p)
        if m is not None:
            option = WorkerClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [158]
        elif p == far:
            exp.append(158)
        return None
    
    def TryClause(p):
        nonlocal far, exp
        m = word(text, p)
        if m is None and text[p] == '@':
            q = p
            while text[q] == '@' and Annotation(q) is not None:
                q = pos
            m = word(text, q)
            if m is None:
                if q > far:
                    far = q
                    exp = [159]
                elif q == far:
                    exp.append(159)
                return None
            option = TryClause_by_word_annotated.get(m[1])
            if option is None:
                if q > far:
                    far = q
                    exp = [159]
                elif q == far:
                    exp.append(159)
                return None
            return option(p)
        if m is not None:
            option = TryClause_by_word.get(m[1])
            if option is not None:
                return option(p)
        if p > far:
            far = p
            exp = [159]
        elif p == far:
            exp.append(159)
        return None
    
    def Together(p):
        nonlocal pos, end, far, exp, special, depth
        s = p
        if p in Together_failed: return None
        if depth >= build.MAX_NESTING:
            special = ('nesting', p, p + 1)
            return None
        depth += 1
        a_members = ()
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'together':
            if p > far:
                far = p
                exp = [160]
            elif p == far:
                exp.append(160)
            depth -= 1; Together_failed.add(s); return None
        e = m.end(1)
        p = m.end()
        if text[p] != '{':
            if p > far:
                far = p
                exp = [13]
            elif p == far:
                exp.append(13)
            depth -= 1; Together_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        if text[p] != '}':
            v = Statement(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] != '}'): break
                v = Statement(p)
            a_members = tuple(items1)
        if text[p] != '}':
            if p > far:
                far = p
                exp = [7]
            elif p == far:
                exp.append(7)
            depth -= 1; Together_failed.add(s); return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        depth -= 1
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Together)
        node.members = a_members
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Together
        return node
    
    def LimitBlock(p):
        nonlocal pos, end, far, exp
        s = p
        a_target = None
        a_value = None
        a_block = None
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'limit':
            if p > far:
                far = p
                exp = [64]
            elif p == far:
                exp.append(64)
            return None
        e = m.end(1)
        p = m.end()
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        a_block = Block(p)
        if a_block is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_LimitBlock)
        node.target = a_target
        node.value = a_value
        node.block = a_block
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.LimitBlock
        return node
    
    def Invocation(p):
        nonlocal pos, end, far, exp
        s = p
        a_operation = None
        a_arguments = ()
        a_block = None
        a_operation = Ref(p)
        if a_operation is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_arguments_3 = ()
            if text[p1] != '(':
                if p1 > far:
                    far = p1
                    exp = [23]
                elif p1 == far:
                    exp.append(23)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            if text[p1] != ')':
                v = Argument(p1)
                if v is not None:
                    p1 = pos
                    e2 = end
                    items4 = [v]
                    while True:
                        p5 = p1
                        if text[p5] != ',':
                            if p5 > far:
                                far = p5
                                exp = [6]
                            elif p5 == far:
                                exp.append(6)
                            break
                        e6 = p5 + 1
                        p5 = e6 if text[e6] not in ' \n\t\r/' else skip(text, e6).end()
                        v = Argument(p5)
                        if v is None:
                            break
                        items4.append(v)
                        p1 = pos
                        e2 = end
                    a_arguments_3 = tuple(items4)
            if text[p1] != ')':
                if p1 > far:
                    far = p1
                    exp = [24]
                elif p1 == far:
                    exp.append(24)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_arguments = a_arguments_3
            p = p1
            e = e2
            break
        while True:
            p7 = p
            a_block_9 = Block(p7)
            if a_block_9 is None:
                break
            p7 = pos
            e8 = end
            a_block = a_block_9
            p = p7
            e = e8
            break
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Invocation)
        node.operation = a_operation
        node.arguments = a_arguments
        node.block = a_block
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Invocation
        return node
    
    def Start(p):
        nonlocal pos, end, far, exp
        s = p
        a_method = None
        m = word(text, p) if text[p] == 's' else None
        if m is None or m[1] != 'start':
            if p > far:
                far = p
                exp = [161]
            elif p == far:
                exp.append(161)
            return None
        e = m.end(1)
        p = m.end()
        a_method = Expression(p)
        if a_method is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        span = _Span()
        span.start = s
        span.end = e
        span.__class__ = Span
        node = _new(_Start)
        node.method = a_method
        node.span = span
        node.doc = doc_at(s)
        node.__class__ = nodes.Start
        return node
    
    def Resource_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_type = None
        a_per = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'resource':
            if p > far:
                far = p
                exp = [9]
            elif p == far:
                exp.append(9)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'p' else None
            if m is None or m[1] != 'per':
                if p2 > far:
                    far = p2
                    exp = [11]
                elif p2 == far:
                    exp.append(11)
                break
            e3 = m.end(1)
            p2 = m.end()
            m = word(text, p2) if text[p2] > '@' else None
            if m is None or m[1] not in w_0:
                if p2 > far:
                    far = p2
                    exp = [12]
                elif p2 == far:
                    exp.append(12)
                break
            a_per_4 = m[1]
            e3 = m.end(1)
            p2 = m.end()
            a_per = a_per_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name, 'type': a_type, 'per': a_per}
    
    def Machine_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'm' else None
        if m is None or m[1] != 'machine':
            if p > far:
                far = p
                exp = [14]
            elif p == far:
                exp.append(14)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name}
    
    def Interface_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_base = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'i' else None
        if m is None or m[1] != 'interface':
            if p > far:
                far = p
                exp = [15]
            elif p == far:
                exp.append(15)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'e' else None
            if m is None or m[1] != 'extends':
                if p2 > far:
                    far = p2
                    exp = [16]
                elif p2 == far:
                    exp.append(16)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_base_4 = Ref(p2)
            if a_base_4 is None:
                break
            p2 = pos
            e3 = end
            a_base = a_base_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name, 'base': a_base}
    
    def Contract_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_base = None
        a_interfaces = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'contract':
            if p > far:
                far = p
                exp = [17]
            elif p == far:
                exp.append(17)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            m = word(text, p2) if text[p2] == 'e' else None
            if m is None or m[1] != 'extends':
                if p2 > far:
                    far = p2
                    exp = [16]
                elif p2 == far:
                    exp.append(16)
                break
            e3 = m.end(1)
            p2 = m.end()
            a_base_4 = Ref(p2)
            if a_base_4 is None:
                break
            p2 = pos
            e3 = end
            a_base = a_base_4
            p = p2
            e = e3
            break
        while True:
            p5 = p
            a_interfaces_7 = ()
            m = word(text, p5) if text[p5] == 'i' else None
            if m is None or m[1] != 'implements':
                if p5 > far:
                    far = p5
                    exp = [18]
                elif p5 == far:
                    exp.append(18)
                break
            e6 = m.end(1)
            p5 = m.end()
            v = Ref(p5)
            if v is None:
                break
            p5 = pos
            e6 = end
            items8 = [v]
            while True:
                p9 = p5
                if text[p9] != ',':
                    if p9 > far:
                        far = p9
                        exp = [6]
                    elif p9 == far:
                        exp.append(6)
                    break
                e10 = p9 + 1
                p9 = e10 if text[e10] not in ' \n\t\r/' else skip(text, e10).end()
                v = Ref(p9)
                if v is None:
                    break
                items8.append(v)
                p5 = pos
                e6 = end
            a_interfaces_7 = tuple(items8)
            a_interfaces = a_interfaces_7
            p = p5
            e = e6
            break
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name, 'base': a_base, 'interfaces': a_interfaces}
    
    def Application_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'a' else None
        if m is None or m[1] != 'application':
            if p > far:
                far = p
                exp = [19]
            elif p == far:
                exp.append(19)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name}
    
    def Test_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_title = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'test':
            if p > far:
                far = p
                exp = [20]
            elif p == far:
                exp.append(20)
            return None
        e = m.end(1)
        p = m.end()
        a_title = Text(p)
        if a_title is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'annotations': a_annotations, 'title': a_title}
    
    def Control_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_type = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'c' else None
        if m is None or m[1] != 'control':
            if p > far:
                far = p
                exp = [42]
            elif p == far:
                exp.append(42)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        if text[p] != ':':
            if p > far:
                far = p
                exp = [10]
            elif p == far:
                exp.append(10)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_type = Type(p)
        if a_type is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name, 'type': a_type}
    
    def Pool_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'p' else None
        if m is None or m[1] != 'pool':
            if p > far:
                far = p
                exp = [43]
            elif p == far:
                exp.append(43)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name}
    
    def Operation_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_name = None
        a_parameters = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'operation':
            if p > far:
                far = p
                exp = [44]
            elif p == far:
                exp.append(44)
            return None
        e = m.end(1)
        p = m.end()
        a_name = Name(p)
        if a_name is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_parameters_4 = ()
            if text[p2] != '(':
                if p2 > far:
                    far = p2
                    exp = [23]
                elif p2 == far:
                    exp.append(23)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            if text[p2] != ')':
                v = Parameter(p2)
                if v is not None:
                    p2 = pos
                    e3 = end
                    items5 = [v]
                    while True:
                        p6 = p2
                        if text[p6] != ',':
                            if p6 > far:
                                far = p6
                                exp = [6]
                            elif p6 == far:
                                exp.append(6)
                            break
                        e7 = p6 + 1
                        p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
                        v = Parameter(p6)
                        if v is None:
                            break
                        items5.append(v)
                        p2 = pos
                        e3 = end
                    a_parameters_4 = tuple(items5)
            if text[p2] != ')':
                if p2 > far:
                    far = p2
                    exp = [24]
                elif p2 == far:
                    exp.append(24)
                break
            e3 = p2 + 1
            p2 = e3 if text[e3] not in ' \n\t\r/' else skip(text, e3).end()
            a_parameters = a_parameters_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        return {'annotations': a_annotations, 'name': a_name, 'parameters': a_parameters}
    
    def Library_head(p):
        nonlocal pos, end, far, exp
        s = p
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'library':
            if p > far:
                far = p
                exp = [45]
            elif p == far:
                exp.append(45)
            return None
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        return {}
    
    def OnLoad_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'o' else None
        if m is None or m[1] != 'on':
            if p > far:
                far = p
                exp = [48]
            elif p == far:
                exp.append(48)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'load':
            if p > far:
                far = p
                exp = [49]
            elif p == far:
                exp.append(49)
            return None
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        return {'annotations': a_annotations}
    
    def Evidence_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_annotations = ()
        a_title = None
        a_subjects = ()
        if text[p] == '@':
            v = Annotation(p)
            items1 = []
            while v is not None:
                items1.append(v)
                p = pos
                e = end
                if not (text[p] == '@'): break
                v = Annotation(p)
            a_annotations = tuple(items1)
        m = word(text, p) if text[p] == 'e' else None
        if m is None or m[1] != 'evidence':
            if p > far:
                far = p
                exp = [58]
            elif p == far:
                exp.append(58)
            return None
        e = m.end(1)
        p = m.end()
        a_title = Text(p)
        if a_title is None:
            return None
        p = pos
        e = end
        while True:
            p2 = p
            a_subjects_4 = ()
            m = word(text, p2) if text[p2] == 'f' else None
            if m is None or m[1] != 'for':
                if p2 > far:
                    far = p2
                    exp = [59]
                elif p2 == far:
                    exp.append(59)
                break
            e3 = m.end(1)
            p2 = m.end()
            v = Ref(p2)
            if v is None:
                break
            p2 = pos
            e3 = end
            items5 = [v]
            while True:
                p6 = p2
                if text[p6] != ',':
                    if p6 > far:
                        far = p6
                        exp = [6]
                    elif p6 == far:
                        exp.append(6)
                    break
                e7 = p6 + 1
                p6 = e7 if text[e7] not in ' \n\t\r/' else skip(text, e7).end()
                v = Ref(p6)
                if v is None:
                    break
                items5.append(v)
                p2 = pos
                e3 = end
            a_subjects_4 = tuple(items5)
            a_subjects = a_subjects_4
            p = p2
            e = e3
            break
        pos = p
        end = e
        return {'annotations': a_annotations, 'title': a_title, 'subjects': a_subjects}
    
    def MachineUse_head(p):
        nonlocal pos, end, far, exp
        s = p
        m = word(text, p) if text[p] == 'm' else None
        if m is None or m[1] != 'machine':
            if p > far:
                far = p
                exp = [14]
            elif p == far:
                exp.append(14)
            return None
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        return {}
    
    def Run_head(p):
        nonlocal pos, end, far, exp
        s = p
        m = word(text, p) if text[p] == 'r' else None
        if m is None or m[1] != 'run':
            if p > far:
                far = p
                exp = [65]
            elif p == far:
                exp.append(65)
            return None
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        return {}
    
    def Workers_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_kind = None
        a_count = None
        a_guard = None
        m = word(text, p) if text[p] == 'w' else None
        if m is None or m[1] != 'workers':
            if p > far:
                far = p
                exp = [142]
            elif p == far:
                exp.append(142)
            return None
        e = m.end(1)
        p = m.end()
        m = word(text, p) if text[p] > '@' else None
        if m is None or m[1] not in w_16:
            if p > far:
                far = p
                exp = [143]
            elif p == far:
                exp.append(143)
            return None
        a_kind = m[1]
        e = m.end(1)
        p = m.end()
        a_count = Expression(p)
        if a_count is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            m = word(text, p1) if text[p1] == 'w' else None
            if m is None or m[1] != 'when':
                if p1 > far:
                    far = p1
                    exp = [51]
                elif p1 == far:
                    exp.append(51)
                break
            e2 = m.end(1)
            p1 = m.end()
            a_guard_3 = Expression(p1)
            if a_guard_3 is None:
                break
            p1 = pos
            e2 = end
            a_guard = a_guard_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        return {'kind': a_kind, 'count': a_count, 'guard': a_guard}
    
    def Try_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_title = None
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'try':
            if p > far:
                far = p
                exp = [156]
            elif p == far:
                exp.append(156)
            return None
        e = m.end(1)
        p = m.end()
        while True:
            p1 = p
            a_title_3 = Text(p1)
            if a_title_3 is None:
                break
            p1 = pos
            e2 = end
            a_title = a_title_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        return {'title': a_title}
    
    def Together_head(p):
        nonlocal pos, end, far, exp
        s = p
        m = word(text, p) if text[p] == 't' else None
        if m is None or m[1] != 'together':
            if p > far:
                far = p
                exp = [160]
            elif p == far:
                exp.append(160)
            return None
        e = m.end(1)
        p = m.end()
        pos = p
        end = e
        return {}
    
    def LimitBlock_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_target = None
        a_value = None
        m = word(text, p) if text[p] == 'l' else None
        if m is None or m[1] != 'limit':
            if p > far:
                far = p
                exp = [64]
            elif p == far:
                exp.append(64)
            return None
        e = m.end(1)
        p = m.end()
        a_target = Ref(p)
        if a_target is None:
            return None
        p = pos
        e = end
        if text[p] != '=':
            if p > far:
                far = p
                exp = [28]
            elif p == far:
                exp.append(28)
            return None
        e = p + 1
        p = e if text[e] not in ' \n\t\r/' else skip(text, e).end()
        a_value = Expression(p)
        if a_value is None:
            return None
        p = pos
        e = end
        pos = p
        end = e
        return {'target': a_target, 'value': a_value}
    
    def Block_head(p):
        nonlocal pos, end, far, exp
        s = p
        e = p
        pos = p
        end = e
        return {}
    
    def Invocation_head(p):
        nonlocal pos, end, far, exp
        s = p
        a_operation = None
        a_arguments = ()
        a_operation = Ref(p)
        if a_operation is None:
            return None
        p = pos
        e = end
        while True:
            p1 = p
            a_arguments_3 = ()
            if text[p1] != '(':
                if p1 > far:
                    far = p1
                    exp = [23]
                elif p1 == far:
                    exp.append(23)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            if text[p1] != ')':
                v = Argument(p1)
                if v is not None:
                    p1 = pos
                    e2 = end
                    items4 = [v]
                    while True:
                        p5 = p1
                        if text[p5] != ',':
                            if p5 > far:
                                far = p5
                                exp = [6]
                            elif p5 == far:
                                exp.append(6)
                            break
                        e6 = p5 + 1
                        p5 = e6 if text[e6] not in ' \n\t\r/' else skip(text, e6).end()
                        v = Argument(p5)
                        if v is None:
                            break
                        items4.append(v)
                        p1 = pos
                        e2 = end
                    a_arguments_3 = tuple(items4)
            if text[p1] != ')':
                if p1 > far:
                    far = p1
                    exp = [24]
                elif p1 == far:
                    exp.append(24)
                break
            e2 = p1 + 1
            p1 = e2 if text[e2] not in ' \n\t\r/' else skip(text, e2).end()
            a_arguments = a_arguments_3
            p = p1
            e = e2
            break
        pos = p
        end = e
        return {'operation': a_operation, 'arguments': a_arguments}
    
    def state():
        return pos, end, far, exp, special
    
    def reset(outside=0):
        nonlocal far, exp, special, depth
        far = -1
        exp = []
        special = None
        depth = outside
        Block_failed.clear()
        Call_failed.clear()
        Conditional_failed.clear()
        Parenthesis_failed.clear()
        Together_failed.clear()
        Unary_failed.clear()
    
    def load(other, other_doc_at):
        nonlocal text, doc_at
        text = other
        doc_at = other_doc_at
        quantities.clear()
    
    Item_by_word = {'package': Package, 'import': Import, 'resource': Resource, 'machine': Machine, 'interface': Interface, 'contract': Contract, 'application': Application, 'test': Test}
    Item_by_word_annotated = {'resource': Resource, 'machine': Machine, 'interface': Interface, 'contract': Contract, 'application': Application, 'test': Test}
    ContractMember_by_word = {'library': Library, 'control': Control, 'pool': Pool, 'operation': Operation, 'uses': Uses, 'on': OnLoad, 'demand': Demand, 'let': Let, 'assume': Assume, 'hazard': Hazard, 'signal': Signal, 'evidence': Evidence, 'scales': Scales}
    ContractMember_by_word_annotated = {'control': Control, 'pool': Pool, 'operation': Operation, 'uses': Uses, 'on': OnLoad, 'demand': Demand, 'assume': Assume, 'hazard': Hazard, 'signal': Signal, 'evidence': Evidence}
    ApplicationMember_by_word = {'machine': MachineUse, 'use': Use, 'env': Environment, 'control': Control, 'let': Let, 'limit': Limit, 'run': Run, 'command': Command, 'measure': Measure, 'maximize': Measure, 'minimize': Measure, 'background': Background}
    ApplicationMember_by_word_annotated = {'control': Control, 'limit': Limit}
    TestClause_by_word = {'machine': MachineUse, 'check': Check, 'env': Environment, 'expect': Expectation}
    ControlClause_by_word = {'env': EnvSource, 'api': ApiSource, 'argument': ArgumentSource, 'config': ConfigSource, 'default': Default, 'read': Read, 'text': TextForm, 'invalid': Invalid, 'scope': Scope}
    PoolClause_by_word = {'size': Size, 'existing': Existing, 'callers': CallersPolicy, 'caller': CallerRole, 'threads': Coupling, 'created': Created, 'idle': Idle, 'fork': ForkBehaviour, 'nested': Nested}
    OperationClause_by_word = {'runs': RunsOn, 'calls': Calls, 'workers': Workers, 'demand': Demand, 'let': Let, 'assume': Assume, 'hazard': Hazard, 'limit': Limit, 'scales': Scales}
    OperationClause_by_word_annotated = {'demand': Demand, 'assume': Assume, 'hazard': Hazard, 'limit': Limit}
    LoadClause_by_word = {'set': SetVariable, 'limit': Limit, 'pin': Pin, 'demand': Demand}
    LoadClause_by_word_annotated = {'limit': Limit, 'demand': Demand}
    EvidenceClause_by_word = {'set': SetVariable, 'pin': Pin, 'quota': Quota, 'limit': Limit, 'let': Let, 'needs': EvidenceClause_Needs_NeedsOfSystem, 'timeout': Timeout, 'run': Run, 'try': Try, 'python': PythonCode, 'expect': ExpectValue}
    EvidenceClause_by_word_annotated = {'limit': Limit}
    WorkerClause_by_word = {'set': SetVariable, 'limit': Limit, 'start': Start, 'pin': Pin, 'caller': CallerRole, 'demand': Demand}
    WorkerClause_by_word_annotated = {'limit': Limit, 'demand': Demand}
    TryClause_by_word = {'set': SetVariable, 'pin': Pin, 'quota': Quota, 'limit': Limit, 'let': Let, 'expect': ExpectValue}
    TryClause_by_word_annotated = {'limit': Limit}
    rules = {'File': File, 'Item': Item, 'Package': Package, 'Import': Import, 'Resource': Resource, 'Machine': Machine, 'Interface': Interface, 'Contract': Contract, 'Application': Application, 'Test': Test, 'Name': Name, 'Annotation': Annotation, 'Type': Type, 'ResourceClause': ResourceClause, 'Fact': Fact, 'Ref': Ref, 'InterfaceMember': InterfaceMember, 'ContractMember': ContractMember, 'ApplicationMember': ApplicationMember, 'Text': Text, 'TestClause': TestClause, 'EnumType': EnumType, 'ValueType': ValueType, 'Capacity': Capacity, 'Sharing': Sharing, 'Exceed': Exceed, 'Expression': Expression, 'Range': Range, 'Control': Control, 'Pool': Pool, 'Operation': Operation, 'Library': Library, 'Uses': Uses, 'OnLoad': OnLoad, 'Demand': Demand, 'Let': Let, 'Assume': Assume, 'Hazard': Hazard, 'Signal': Signal, 'Evidence': Evidence, 'Scales': Scales, 'MachineUse': MachineUse, 'Use': Use, 'Environment': Environment, 'Limit': Limit, 'Run': Run, 'Command': Command, 'Measure': Measure, 'Background': Background, 'Check': Check, 'Expectation': Expectation, 'TypeFactor': TypeFactor, 'Operand': Operand, 'Tail': Tail, 'ControlClause': ControlClause, 'PoolClause': PoolClause, 'Parameter': Parameter, 'OperationClause': OperationClause, 'LibraryEntry': LibraryEntry, 'LoadClause': LoadClause, 'Device': Device, 'SignalSource': SignalSource, 'Indication': Indication, 'EvidenceClause': EvidenceClause, 'UseItem': UseItem, 'Block': Block, 'ExpectOvercommit': ExpectOvercommit, 'ExpectSerialized': ExpectSerialized, 'ExpectHazard': ExpectHazard, 'ExpectAssumption': ExpectAssumption, 'ExpectUnderuse': ExpectUnderuse, 'ExpectClean': ExpectClean, 'ExpectNo': ExpectNo, 'ExpectSafe': ExpectSafe, 'ExpectDemand': ExpectDemand, 'ExpectAvoidable': ExpectAvoidable, 'ExpectResolved': ExpectResolved, 'Unary': Unary, 'Conditional': Conditional, 'Parenthesis': Parenthesis, 'Quantity': Quantity, 'Boolean': Boolean, 'Call': Call, 'Reference': Reference, 'EnvSource': EnvSource, 'ApiSource': ApiSource, 'ArgumentSource': ArgumentSource, 'ConfigSource': ConfigSource, 'Default': Default, 'Read': Read, 'TextForm': TextForm, 'Invalid': Invalid, 'Scope': Scope, 'Size': Size, 'Existing': Existing, 'CallersPolicy': CallersPolicy, 'CallerRole': CallerRole, 'Coupling': Coupling, 'Created': Created, 'Idle': Idle, 'ForkBehaviour': ForkBehaviour, 'Nested': Nested, 'RunsOn': RunsOn, 'Calls': Calls, 'Workers': Workers, 'PypiEntry': PypiEntry, 'FileEntry': FileEntry, 'CommandEntry': CommandEntry, 'SetVariable': SetVariable, 'Pin': Pin, 'AllDevices': AllDevices, 'LogSource': LogSource, 'PythonSource': PythonSource, 'Quota': Quota, 'Needs': Needs, 'NeedsOfSystem': NeedsOfSystem, 'Timeout': Timeout, 'Try': Try, 'PythonCode': PythonCode, 'ExpectValue': ExpectValue, 'Binding': Binding, 'Statement': Statement, 'Setting': Setting, 'Argument': Argument, 'WorkerClause': WorkerClause, 'TryClause': TryClause, 'Together': Together, 'LimitBlock': LimitBlock, 'Invocation': Invocation, 'Start': Start}
    heads = {'Resource': Resource_head, 'Machine': Machine_head, 'Interface': Interface_head, 'Contract': Contract_head, 'Application': Application_head, 'Test': Test_head, 'Control': Control_head, 'Pool': Pool_head, 'Operation': Operation_head, 'Library': Library_head, 'OnLoad': OnLoad_head, 'Evidence': Evidence_head, 'MachineUse': MachineUse_head, 'Run': Run_head, 'Workers': Workers_head, 'Try': Try_head, 'Together': Together_head, 'LimitBlock': LimitBlock_head, 'Block': Block_head, 'Invocation': Invocation_head}
    return Parser(rules, heads, state, reset, load)
