%% The names of funs. The tracer knows a fun by its module, index and hash. The names in the file of a module are read
%% after the recording; those of a script or of code that was compiled in memory are known to the VM alone.
-module(strobe_funs).
-export([name/0]).

-define(NEW_FUN_EXT, 112).
-define(INTEGER_EXT, 98).

%% Records the names of the funs that are new since the last call. The VM knows no name where the code was unloaded.
name() ->
    [strobe_nif:name_fun(Id, AtomId, atom_to_binary(Name, utf8), Arity)
     || {Id, Module, Index, Uniq, AtomId} <- strobe_nif:new_funs(),
        {Name, Arity} <- function(Module, Index, Uniq)],
    ok.

function(Module, Index, Uniq) ->
    try
        Functions = erlang:get_module_info(Module, functions),
        Most = lists:max([A || {_, A} <- Functions]),
        Same = fun(Arity) -> same_fun(Module, erlang:get_module_info(Module, md5), Index, Uniq, Arity) end,
        case named(Same, lists:seq(0, Most)) of
            none -> [];
            Name -> [F || {N, _} = F <- Functions, N =:= Name]
        end
    catch error:_ -> []
    end.

%% A fun has at most as many arguments as its function; how many is not known.
named(_, [])                 -> none;
named(Same, [Arity | Other]) ->
    case erlang:fun_info(Same(Arity), name) of
        {name, []}   -> named(Same, Other);
        {name, Name} -> Name
    end.

%% Returns the fun without its environment, which could be large.
same_fun(Module, <<Md5:16/binary>>, Index, Uniq, Arity) ->
    Fun = [<<Arity, Md5/binary, Index:32, 0:32>>, ext(Module), <<?INTEGER_EXT, Index:32, ?INTEGER_EXT, Uniq:32>>,
           ext(self())],
    binary_to_term(iolist_to_binary([<<131, ?NEW_FUN_EXT, (iolist_size(Fun) + 4):32>>, Fun])).

ext(Term) ->
    <<131, Ext/binary>> = term_to_binary(Term),
    Ext.
